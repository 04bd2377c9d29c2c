import { isFiller } from "./fillers.ts";
import { changesOf } from "./randomness.ts";
import type { Span } from "./span.ts";

/** Digits of base64 as crypt writes them, and as others do. */
const [crypt, base64] = ["[./A-Za-z0-9]", "[A-Za-z0-9+/]"];
/**
 * As in /etc/shadow, htpasswd, Cisco, Juniper, WordPress, Drupal, Django, Werkzeug, Mosquitto and Postgres: what can be
 * guessed at until it fits. From the first `$`.
 */
const forms: readonly string[] = [
  String.raw`(?:1|apr1)\$[./\w]{0,16}\$${crypt}{22}`,
  String.raw`2[abxy]?\$\d\d\$${crypt}{53}`,
  String.raw`[56]\$(?:rounds=\d{1,9}\$)?[./\w]{0,24}\$${crypt}{43,86}`,
  `[PH]\\$[5-9A-Z]${crypt}{30}`,
  `S\\$[5-9A-Z]${crypt}{51}`,
  String.raw`(?<=\bpbkdf2_sha\d{1,3}\$)\d{4,7}\$[A-Za-z0-9]{8,64}\$${base64}{27,88}={0,2}`,
  String.raw`(?<=\b(?:scrypt(?::\d{1,8}){3}|pbkdf2:sha\d{1,3}(?::\d{1,8})?)\$)[A-Za-z0-9]{8,32}\$[\da-f]{40,128}`,
  String.raw`(?<=\bSCRAM-SHA-\d{1,3}\$)\d{4,7}:${base64}{16,64}={0,2}\$${base64}{27,88}={0,2}:${base64}{27,88}={0,2}`,
  String.raw`[89]\$[./\w]{14}\$${crypt}{43}`,
  // Juniper's can be read by everybody who has it.
  String.raw`9\$[\w./-]{8,200}(?=["';])`,
  String.raw`7\$\d{1,7}\$${base64}{8,64}={0,2}\$${base64}{27,128}={0,2}`,
  String.raw`g?y\$[./\w]{1,16}\$${crypt}{1,64}\$${crypt}{43}`,
  String.raw`argon2(?:id|i|d)\$[\w=,$]{4,64}\$${base64}{8,64}\$${base64}{20,100}`,
];
const hash = new RegExp(`\\$(?:${forms.join("|")})`, "y");
/** What tools that guess take in: its kind, and parts of which one is long: `$krb5tgs$23$*ada$...`, `$keepass$*2*...`. */
const crackable = /\$[a-z\d][a-z\d-]{1,24}\$[\w*$./+=:,@#-]{32,8192}/y;
const longPart = /[\da-f]{32}|[A-Za-z\d]{22}/i;
const [zero, nine] = [48, 57];
const isDigit = (code: number): boolean => code >= zero && code <= nine;
/** What may stand behind the sign, where no digit stands before it. */
const begins = new Uint8Array(128).fill(1, zero, nine + 1).fill(1, 97, 123);
for (const char of "PHS") begins[char.charCodeAt(0)] = 1;

/** Finds hashes of passwords as systems, servers and tools that guess them write them. */
export function findPasswordHashes(text: string): Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf("$"); at >= 0; at = text.indexOf("$", at + 1)) {
    if (begins[text.charCodeAt(at + 1)] !== 1 && !isDigit(text.charCodeAt(at - 1))) continue;
    const end = endOfHash(text, at);
    if (end === undefined || isFiller(text.slice(at, end))) continue;
    spans.push({ start: at, end, rule: "hash" });
    at = end - 1;
  }
  return spans;
}

function endOfHash(text: string, at: number): number | undefined {
  hash.lastIndex = at;
  if (hash.test(text)) return hash.lastIndex;
  crackable.lastIndex = at;
  if (!crackable.test(text)) return undefined;
  const end = crackable.lastIndex;
  const part = longPart.exec(text.slice(at, end))?.[0] ?? "";
  return part.length === 32 || (changesOf(part) * 4 >= part.length && part !== "") ? end : undefined;
}
