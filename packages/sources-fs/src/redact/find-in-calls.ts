import { redactLimits } from "../limits.ts";
import type { Anchors } from "./anchors.ts";
import type { Span } from "./span.ts";
import { isSecretByPlace } from "./value-is-secret.ts";

/** A call that takes a secret without a name: `jwt.sign(user, "...")`. */
interface SecretCall {
  /** From where an anchor begins up to the bracket. */
  readonly call: RegExp;
  /** The first argument that may be one; those before it are what is signed, an address or a user. */
  readonly argument: number;
}

type Calls = Readonly<Record<string, readonly SecretCall[]>>;
const none: readonly SecretCall[] = [];
/** By the first letter of the anchor. */
const calls: Calls = {
  c: [{ call: /cipher(?:iv)?\(/iy, argument: 1 }],
  f: [{ call: /fernet\(/iy, argument: 0 }],
  h: [{ call: /hmac[\w.:<>-]{0,40}\(/iy, argument: 0 }],
  i: [
    { call: /(?<=(?<![A-Za-z])s)ign\(/y, argument: 1 },
    { call: /ign(?:edString|With)\(/y, argument: 0 },
  ],
  j: [{ call: /jwt(?:\.|::)(?:sign|verify|encode|decode)\(/iy, argument: 1 }],
  l: [{ call: /lgolia_?search\(/iy, argument: 1 }],
  o: [{ call: /ogin\(/iy, argument: 1 }],
  p: [
    { call: /pbkdf2(?:sync|_hmac)?\(/iy, argument: 0 },
    { call: /pdo\(/iy, argument: 2 },
  ],
  q: [{ call: /qli(?:_connect)?\(/iy, argument: 2 }],
  r: [{ call: /rypt(?:_?sync|_?string|_?data)?\(/iy, argument: 1 }],
};
const cookieCalls: Calls = { c: [{ call: /cookie_?(?:parser|store|session)\(/iy, argument: 0 }] };
/** `SecretStr("...")`, `AzureKeyCredential("...")`, `EncodingKey::from_secret(b"...")`. */
const namedCalls: Calls = {
  c: [{ call: /credentials?\(/iy, argument: 0 }],
  p: [{ call: /passphrase\(/iy, argument: 0 }],
  s: [{ call: /(?:secret\w{0,12}|security_?key)\(/iy, argument: 0 }],
};

/** Finds literals that look drawn by a machine among the arguments of calls that sign, encrypt or log in. */
export function findInCalls(text: string, anchors: Pick<Anchors, "calls" | "cookies" | "names">): Span[] {
  return [
    ...secretsOf(text, anchors.calls, calls),
    ...secretsOf(text, anchors.cookies, cookieCalls),
    ...secretsOf(text, anchors.names, namedCalls),
  ];
}

function secretsOf(text: string, places: readonly number[], possible: Calls): Span[] {
  const spans: Span[] = [];
  for (const at of places) {
    for (const { call, argument } of possible[text.charAt(at).toLowerCase()] ?? none) {
      call.lastIndex = at;
      if (!call.test(text)) continue;
      spans.push(...literalsOf(text, call.lastIndex).filter((literal) => literal.argument >= argument));
      break;
    }
  }
  return spans;
}

/** Literals of the call that opens before `from`, but for those in braces: what stands there has names. */
function literalsOf(text: string, from: number): (Span & { readonly argument: number })[] {
  const found: (Span & { readonly argument: number })[] = [];
  const most = Math.min(text.length, from + redactLimits.callCharsMax);
  let [depth, braces, argument] = [1, 0, 0];
  for (let at = from; at < most && depth > 0; at++) {
    const char = text.charAt(at);
    if (char === "(" || char === "[") depth += 1;
    else if (char === ")" || char === "]") depth -= 1;
    else if (char === "{") braces += 1;
    else if (char === "}") braces -= 1;
    else if (char === "," && depth === 1 && braces === 0) argument += 1;
    else if (char === ";") return found;
    else if (char === '"' || char === "'" || char === "`") {
      const end = text.slice(at + 1, most).search(char === "`" ? /`/ : char === '"' ? /["\n]/ : /['\n]/) + at + 1;
      if (end <= at || text.charAt(end) !== char) return found;
      const value = text.slice(at + 1, end);
      if (braces === 0 && isSecretByPlace(value)) {
        found.push({ start: at + 1, end, rule: "argument", argument });
      }
      at = end;
    }
  }
  return found;
}
