import type { Span } from "./span.ts";

const objectCharsMax = 8_192;
/** The members that only a private or a symmetric key has. */
const privateMember = /\\{0,3}["'](?:d|p|q|dp|dq|qi|k)\\{0,3}["'][ \t]{0,4}:\s{0,4}\\{0,3}["']([\w-]{20,1400})/g;

/** Finds the private members of keys in JSON (RFC 7517): the object around `"kty"`. */
export function findPrivateJwks(text: string, names: readonly number[]): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const at of names) {
    if (at < from || !text.startsWith("kty", at)) continue;
    const least = Math.max(from, at - objectCharsMax);
    const before = text.slice(least, at);
    const start = least + before.lastIndexOf("{") + 1;
    const after = text.slice(at, at + objectCharsMax);
    const close = after.indexOf("}");
    // Each object is looked at once, however often it says its kind.
    from = at + (close < 0 ? after.length : close);
    for (const { index, 0: member, 1: value = "" } of text.slice(start, from).matchAll(privateMember)) {
      const place = start + index + member.length - value.length;
      spans.push({ start: place, end: place + value.length, rule: "jwk" });
    }
  }
  return spans;
}
