import { markOf, type Span } from "./span.ts";
import { startsWithOneOf } from "./spans-at.ts";

const rule = "licence";
/** Lines of a licence that a program takes in, from where an anchor is; the group is what opens it. */
const blocks: readonly RegExp[] = [
  // Sublime's, and RAR's.
  /EA7E-\d{3,12}\r?\n([\dA-F]{8} [\dA-F]{8} [\dA-F]{8} [\dA-F \r\n]{100,600}(?![\w-]))/y,
  /RAR registration data\r?\n[^\n]{1,80}\r?\n[^\n]{1,80}\r?\nUID=[\da-f]{16,32}\r?\n(\d{40,60}\r?\n[\d\r\n]{100,800}(?![\w-]))/y,
];
/** FlexLM's: the signature of a line that lets a program run, and the older key before it. */
const signature = /ign=(?<=\bsign=)"?([\dA-F]{4}(?: [\dA-F]{4}){5,60}|[\dA-F]{12,240})(?![\w-])/iy;
const older =
  /(?:^|\n)(?:INCREMENT|FEATURE)(?:[ \t]\S{1,40}){4}[ \t]\d{1,6}[ \t]([\dA-F]{12,20})(?=\s[^\n]*(?:\\\r?\n[^\n]*)?$)/;
const lineCharsMax = 400;
const begins = startsWithOneOf("eri");

/** Finds what makes a licence work, in the files that programs read it from. */
export function findLicences(text: string, names: readonly number[]): Span[] {
  const spans: Span[] = [];
  for (const at of names) {
    if (!begins(text, at)) continue;
    for (const block of blocks) {
      block.lastIndex = at;
      const body = block.exec(text)?.[1]?.trimEnd();
      if (body === undefined) continue;
      const start = text.indexOf(body, at);
      const lines = "\n".repeat(body.split("\n").length - 1);
      spans.push({ start, end: start + body.length, rule, replacement: `${markOf(rule)}${lines}` });
    }
    signature.lastIndex = at;
    const value = signature.exec(text)?.[1];
    if (value === undefined) continue;
    spans.push({ start: signature.lastIndex - value.length, end: signature.lastIndex, rule });
    const least = Math.max(0, at - lineCharsMax);
    const key = older.exec(text.slice(least, at));
    if (key === null) continue;
    const start = least + key.index + key[0].length - (key[1] ?? "").length;
    spans.push({ start, end: start + (key[1] ?? "").length, rule });
  }
  return spans;
}
