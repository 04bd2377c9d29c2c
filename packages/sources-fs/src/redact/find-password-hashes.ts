import { isFiller } from "./fillers.ts";
import type { Span } from "./span.ts";

/** As in /etc/shadow, htpasswd, Cisco, WordPress, Drupal and Django: what can be guessed at until it fits. */
const hash =
  /\$(?:1\$[./\w]{0,16}\$[./A-Za-z0-9]{22}|apr1\$[./\w]{0,16}\$[./A-Za-z0-9]{22}|2[abxy]?\$\d\d\$[./A-Za-z0-9]{53}|[56]\$(?:rounds=\d{1,9}\$)?[./\w]{0,24}\$[./A-Za-z0-9]{43,86}|[PH]\$[5-9A-Z][./A-Za-z0-9]{30}|S\$[5-9A-Z][./A-Za-z0-9]{51}|(?<=\bpbkdf2_sha\d{1,3}\$)\d{4,7}\$[A-Za-z0-9]{8,64}\$[A-Za-z0-9+/]{27,88}={0,2}|[89]\$[./\w]{14}\$[./A-Za-z0-9]{43}|y\$[./\w]{1,16}\$[./A-Za-z0-9]{1,64}\$[./A-Za-z0-9]{43}|argon2(?:id|i|d)\$[\w=,$]{4,64}\$[A-Za-z0-9+/]{8,64}\$[A-Za-z0-9+/]{20,100})/y;
const kinds = new Set("123456789PHSya");

/** Finds hashes of passwords as systems and servers write them. */
export function findPasswordHashes(text: string): Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf("$"); at >= 0; at = text.indexOf("$", at + 1)) {
    if (!kinds.has(text.charAt(at + 1))) continue;
    hash.lastIndex = at;
    if (!hash.test(text) || isFiller(text.slice(at, hash.lastIndex))) continue;
    spans.push({ start: at, end: hash.lastIndex, rule: "hash" });
    at = hash.lastIndex - 1;
  }
  return spans;
}
