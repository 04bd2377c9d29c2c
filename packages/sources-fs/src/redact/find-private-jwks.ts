import type { Span } from "./span.ts";

const objectCharsMax = 8_192;
/** The members that only a private or a symmetric key has. */
const privateMember = /\\{0,3}["'](?:d|p|q|dp|dq|qi|k)\\{0,3}["'][ \t]{0,4}:\s{0,4}\\{0,3}["']([\w-]{20,1400})/g;
const privateElement = /<(?:D|P|Q|DP|DQ|InverseQ)>([A-Za-z0-9+/=]{20,1400})(?=<)/g;
const inXml = "RSAKeyValue>";

/** Finds the private members of keys in JSON (RFC 7517), in the object around `"kty"`, and in XML. */
export function findPrivateJwks(text: string, names: readonly number[]): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const at of names) {
    if (at < from) continue;
    const isXml = text.startsWith(inXml, at - "RSA".length);
    if (!isXml && !text.startsWith("kty", at)) continue;
    const least = Math.max(from, at - objectCharsMax);
    const before = text.slice(least, at);
    const start = isXml ? at : least + before.lastIndexOf("{") + 1;
    const after = text.slice(at, at + objectCharsMax);
    const close = after.indexOf(isXml ? `</${inXml}` : "}");
    // Each object is looked at once, however often it says its kind.
    from = at + (close < 0 ? after.length : close + 1);
    for (const { index, 0: member, 1: value = "" } of text
      .slice(start, from)
      .matchAll(isXml ? privateElement : privateMember)) {
      const place = start + index + member.length - value.length;
      spans.push({ start: place, end: place + value.length, rule: "jwk" });
    }
  }
  return spans;
}
