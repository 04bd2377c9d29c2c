import { isUuid, isVaried, looksDrawn } from "./randomness.ts";
import { markStart, type Span } from "./span.ts";

const header = /(?:["']?[ \t]{0,4}[:=,][ \t]{0,4}|[ \t]{1,4}(?=\\{0,3}["']))\\{0,3}["'`]?/y;
const lineCharsMax = 8_192;
const pair = /([\w.$%-]{1,80})=([\w.~+/%=:@!*-]{12,4000})/g;

/** Finds values in `Cookie:` and `Set-Cookie:`, and in what goes by these names, that look drawn by a machine. */
export function findCookies(text: string): Span[] {
  const spans: Span[] = [];
  for (const name of ["ookie", "OOKIE"]) {
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 5)) {
      const start = headerEnd(text, at + (/s/i.test(text.charAt(at + 5)) ? 6 : 5));
      if (start !== undefined) spans.push(...pairsIn(text, start));
    }
  }
  // Sessions of frameworks are named alike wherever they stand.
  for (let at = text.indexOf("_session="); at >= 0; at = text.indexOf("_session=", at + 9)) {
    const found = /^[\w%./+=-]{20,2000}/.exec(text.slice(at + 9, at + 2_009))?.[0];
    if (found !== undefined && isDrawn(found))
      spans.push({ start: at + 9, end: at + 9 + found.length, rule: "cookie" });
  }
  return spans;
}

function headerEnd(text: string, at: number): number | undefined {
  header.lastIndex = at;
  return header.test(text) ? header.lastIndex : undefined;
}

function pairsIn(text: string, start: number): Span[] {
  const line = /^[^\n]*/.exec(text.slice(start, start + lineCharsMax))?.[0] ?? "";
  const end = line.search(/["'`\\]/);
  return [...line.slice(0, end < 0 ? line.length : end).matchAll(pair)].flatMap(
    ({ index, 1: name = "", 2: value = "" }) =>
      isDrawn(value)
        ? [
            {
              start: start + index + name.length + 1,
              end: start + index + name.length + 1 + value.length,
              rule: "cookie",
            },
          ]
        : [],
  );
}

function isDrawn(value: string): boolean {
  return !value.startsWith(markStart) && isVaried(value) && (looksDrawn(value) || isUuid(value));
}
