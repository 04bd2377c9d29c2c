import { redactLimits } from "../limits.ts";
import { isUuid, isVaried, looksDrawn } from "./randomness.ts";
import { markStart, type Span } from "./span.ts";

const header = /(?:["']?[ \t]{0,4}[:=,][ \t]{0,4}|[ \t]{1,4}(?=\\{0,3}["']))\\{0,3}["'`]?/y;
const lineEnds = new Set("\n\"'`\\");
const sessionName = "_session=";
const sessionValue = /[\w%./+=-]{20,2000}/y;
const pair = /([\w.$%-]{1,80})=([\w.~+/%=:@!*-]{12,4000})/g;

/** Finds values in `Cookie:` and `Set-Cookie:`, and in what goes by these names, that look drawn by a machine. */
export function findCookies(text: string): Span[] {
  const spans: Span[] = [];
  for (const end of ["kie", "KIE"]) {
    for (let at = text.indexOf(end); at >= 0; at = text.indexOf(end, at + 3)) {
      if (!/^coo$/i.test(text.slice(Math.max(0, at - 3), at))) continue;
      const start = headerEnd(text, at + (/s/i.test(text.charAt(at + 3)) ? 4 : 3));
      if (start === undefined) continue;
      const lineEnd = endOfLine(text, start);
      spans.push(...pairsIn(text, start, lineEnd));
      // What was looked at once is not looked at again: a line may repeat the name.
      at = Math.max(at, lineEnd - 3);
    }
  }
  return [...spans, ...sessionsIn(text)];
}

/** Sessions of frameworks are named alike wherever they stand. */
function sessionsIn(text: string): Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf(sessionName); at >= 0; ) {
    const start = at + sessionName.length;
    sessionValue.lastIndex = start;
    const found = sessionValue.exec(text)?.[0] ?? "";
    if (isDrawn(found)) spans.push({ start, end: start + found.length, rule: "cookie" });
    at = text.indexOf(sessionName, start + found.length);
  }
  return spans;
}

function headerEnd(text: string, at: number): number | undefined {
  header.lastIndex = at;
  return header.test(text) ? header.lastIndex : undefined;
}

function endOfLine(text: string, start: number): number {
  const most = Math.min(text.length, start + redactLimits.cookieLineCharsMax);
  let end = start;
  while (end < most && !lineEnds.has(text.charAt(end))) end += 1;
  return end;
}

function pairsIn(text: string, start: number, end: number): Span[] {
  const pairs = [...text.slice(start, end).matchAll(pair)];
  return pairs.flatMap(({ index, 1: name = "", 2: value = "" }) => {
    const from = start + index + name.length + 1;
    return isDrawn(value) ? [{ start: from, end: from + value.length, rule: "cookie" }] : [];
  });
}

function isDrawn(value: string): boolean {
  return !value.startsWith(markStart) && isVaried(value) && (looksDrawn(value) || isUuid(value));
}
