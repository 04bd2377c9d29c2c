import { changesOften, isFiller, isUuid, isVaried, looksDrawn, looksLikePassword } from "./randomness.ts";
import { markStart, type Span } from "./span.ts";

const keyNames =
  /passw|passphrase|[_-]pass|secret|token|(?:api|ess|unt|ate|ion|ing)[_-]?key|credential|authorization|bearer/iy;

/**
 * Every name begins with five letters of this list (`_` stands for `-`, too). They are searched for from their ends:
 * two characters that stand in none of them allow a step of four.
 */
const beginChars = 5;
const begins =
  "passw passp _pass secre token api_k apike crede autho beare ess_k esske unt_k untke ate_k ateke ion_k ionke " +
  "ing_k ingke";
const letters = new Uint8Array(256);
for (let letter = 1; letter <= 26; letter++) {
  letters[96 + letter] = letter;
  letters[64 + letter] = letter;
}
letters[45] = 27;
letters[95] = 27;
const steps = new Uint8Array(1 << 10).fill(beginChars - 1);
const firstThree = new Uint8Array(1 << 15);
for (const begin of begins.split(" ")) {
  const codes = Array.from(begin, (char) => letters[char.charCodeAt(0)] as number);
  for (let n = 1; n < beginChars; n++) {
    const pair = ((codes[n - 1] as number) << 5) | (codes[n] as number);
    steps[pair] = Math.min(steps[pair] as number, beginChars - 1 - n);
  }
  firstThree[((codes[0] as number) << 10) | ((codes[1] as number) << 5) | (codes[2] as number)] = 1;
}

/** From a key's name to its value: `"password": "`, `apiKey: string = '`, `<password>`, `--token `, `TOKEN=`. */
const toValue =
  /[\w-]{0,32}(?:\\{0,3}["'`])?\]?(?:[^ -~\n]\[[\d;]{0,12}m)?[ \t]{0,8}(?::[ \t]{0,4}[Ss]tr(?:ing)?[ \t]{0,4})?(?:\?\?=|\|\|=|:=|=>|={1,3}|:|>|%3[Dd])[ \t]{0,8}/y;
/** `\e[33m` or, in JSON, `\\u001b[33m`. */
const toColoured = /(?:[^ -~\n]|\\{1,2}u001b|\\{1,2}x1b|\\{1,2}033)\[[\d;]{0,12}m/y;
const toArgument = /[\w-]{0,32}[ \t]/y;
const toBearer = /[ \t]{1,4}/y;
const scheme = /(?:[Bb]earer|[Bb]asic|[Tt]oken|[Aa]pi[Kk]ey|BEARER|BASIC)[ \t]{1,4}/y;
const opening = /(?:[brfu]{0,2}\\{0,3})?["'`]/y;

/** Printable ASCII but quotes, angle brackets and the backslash; without quotes around it, also but `,:;=(){}[]&|`. */
const quotedValue = /[!#-&(-;=?-[\]-_a-~]{8,160}/y;
const bareValue = /[!#-%*+\--9?-Z^_a-z~]{8,160}={0,2}/y;
const restOfValue = /[\w+/=.~%-]/;
const code = /\$\{|\{\{|\}\}|process\.env|\(|\)|=>|;|::|:\/\/|^[$%@~#]|^\.{0,2}\/[\w.-]{0,80}\/|^[[{]/;

/** Finds values that a key's name calls a secret, where they look drawn by a machine. */
export function findAssigned(text: string, bytes: Uint8Array): Span[] {
  const spans: Span[] = [];
  for (let at = nextName(bytes, beginChars - 1, text.length); at >= 0; ) {
    const span = secretAt(text, at - beginChars + 1);
    if (span !== undefined) spans.push(span);
    at = nextName(bytes, Math.max(at + 1, span?.end ?? 0), text.length);
  }
  return spans;
}

/** Where the first five letters of what may be a name end, from `from` on; -1 for nowhere. */
function nextName(bytes: Uint8Array, from: number, length: number): number {
  const letter = (index: number): number => letters[bytes[index] as number] as number;
  for (let at = from; at < length; ) {
    const step = steps[(letter(at - 1) << 5) | letter(at)] as number;
    if (step === 0) {
      if (firstThree[(letter(at - 4) << 10) | (letter(at - 3) << 5) | letter(at - 2)] === 1) return at;
      at += 1;
    } else at += step;
  }
  return -1;
}

function secretAt(text: string, nameStart: number): Span | undefined {
  keyNames.lastIndex = nameStart;
  if (!keyNames.test(text)) return undefined;
  return valueAfter(text, nameStart, text.slice(nameStart, keyNames.lastIndex).toLowerCase());
}

function valueAfter(text: string, nameStart: number, name: string): Span | undefined {
  const nameEnd = nameStart + name.length;
  let at = step(toValue, text, nameEnd);
  if (at === nameEnd && name === "bearer") at = step(toBearer, text, nameEnd);
  if (at === nameEnd && isOption(text, nameStart)) at = step(toArgument, text, nameEnd);
  if (at === nameEnd) return undefined;
  at = step(toColoured, text, at);
  const quoted = step(opening, text, at);
  const isQuoted = quoted !== at;
  at = step(scheme, text, quoted);
  const shape = isQuoted ? quotedValue : bareValue;
  const end = step(shape, text, at);
  if (end === at || text.startsWith(markStart, at)) return undefined;
  const value = text.slice(at, end);
  const next = text.charAt(end);
  if (!isQuoted && (next === "(" || next === "[" || next === "{")) return undefined;
  const isBasic = at !== quoted && /basic/i.test(text.slice(quoted, at));
  // `secret:1.3@sha256:...` is an image; a password ends where its line or list does.
  const isPassword = (name.startsWith("pass") || name === "secret") && (isQuoted || next !== ":");
  if (!isSecret(value, { isBasic, isPassword })) return undefined;
  return { start: at, end: throughRest(text, end), rule: "assigned" };
}

function isSecret(value: string, its: { readonly isBasic: boolean; readonly isPassword: boolean }): boolean {
  if (its.isBasic && isLogin(value)) return true;
  if (!isVaried(value)) return false;
  if (isLongBase64(value)) return true;
  if (code.test(value)) return false;
  if (isUuid(value)) return false;
  if (looksDrawn(value)) return true;
  return its.isPassword && looksLikePassword(value);
}

/** Base64 of 30 bytes or more, as secret and account keys are: its `/` and `+` part no words. */
function isLongBase64(value: string): boolean {
  return value.length >= 40 && /^[A-Za-z0-9+/]{38,160}={0,2}$/.test(value) && changesOften(value) && !isFiller(value);
}

/** `Basic` carries a name and a password, joined by a colon. */
function isLogin(value: string): boolean {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return false;
  return /^[\x20-\x7e]*:[\x20-\x7e]+$/.test(Buffer.from(value, "base64").toString("latin1"));
}

function isOption(text: string, nameStart: number): boolean {
  const before = text.slice(Math.max(0, nameStart - 24), nameStart);
  return /(?:^|[\s"'`])--[\w-]*$/.test(before);
}

function step(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function throughRest(text: string, from: number): number {
  let end = from;
  while (end < text.length && restOfValue.test(text.charAt(end))) end += 1;
  return end;
}
