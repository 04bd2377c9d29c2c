import { isUuid, isVaried, looksDrawn } from "./randomness.ts";
import { markStart, type Span } from "./span.ts";

/** From the path of a cookie to its value, in a file as curl and wget keep it (Netscape's form). */
const toValue = /\t\/[^\t\n]{0,80}\t(?:TRUE|FALSE)\t\d{1,16}\t[^\t\n]{1,80}\t(?=([^\s"'\\]{12,4000}))/y;

/** Finds values of cookies that look drawn, in the files where commands keep them. */
export function findCookieJars(text: string): Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf("\t/"); at >= 0; at = text.indexOf("\t/", at + 2)) {
    toValue.lastIndex = at;
    const value = toValue.exec(text)?.[1];
    if (value === undefined || value.startsWith(markStart) || !isVaried(value)) continue;
    if (!looksDrawn(value) && !isUuid(value)) continue;
    const start = toValue.lastIndex;
    spans.push({ start, end: start + value.length, rule: "cookie" });
  }
  return spans;
}
