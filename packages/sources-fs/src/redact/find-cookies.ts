import { redactLimits } from "../limits.ts";
import { isUuid, isVaried, looksDrawn } from "./randomness.ts";
import { markStart, type Span } from "./span.ts";

const [underscore, letterC] = [95, 99];
const name = /cookies?/iy;
const header = /(?:["']?[ \t]{0,4}[:=,][ \t]{0,4}|[ \t]{1,4}(?=\\{0,3}["']))\\{0,3}["'`]?/y;
const lineEnds = new Set("\n\"'`\\");
const sessionName = /_session=["']?/iy;
const sessionValue = /[\w%./+=-]{20,2000}/y;
const pair = /([\w.$%-]{1,80})=([\w.~+/%=:@!*-]{12,4000})/g;

/** Finds values in `Cookie:` and `Set-Cookie:`, and in what goes by these names, that look drawn by a machine. */
export function findCookies(text: string, names: readonly number[]): Span[] {
  const spans: Span[] = [];
  let from = 0;
  let sessionsFrom = 0;
  for (const at of names) {
    // What names sessions again and again is examined once.
    if (text.charCodeAt(at) === underscore && at >= sessionsFrom) {
      const session = sessionAt(text, at);
      sessionsFrom = session?.end ?? at;
      if (session?.isDrawn) spans.push({ start: session.start, end: session.end, rule: "cookie" });
    }
    if (at < from || (text.charCodeAt(at) | 32) !== letterC) continue;
    name.lastIndex = at;
    const start = name.test(text) ? headerEnd(text, name.lastIndex) : undefined;
    if (start === undefined) continue;
    // A line may repeat the name, so no part is examined twice.
    from = endOfLine(text, start);
    spans.push(...pairsIn(text, start, from));
  }
  return spans;
}

/** Sessions of frameworks are named alike wherever they stand. */
function sessionAt(
  text: string,
  at: number,
): { readonly start: number; readonly end: number; readonly isDrawn: boolean } | undefined {
  sessionName.lastIndex = at;
  if (!sessionName.test(text)) return undefined;
  const start = sessionName.lastIndex;
  sessionValue.lastIndex = start;
  if (!sessionValue.test(text)) return undefined;
  const end = sessionValue.lastIndex;
  return { start, end, isDrawn: isDrawn(text.slice(start, end)) };
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
  return pairs.flatMap(({ index, 1: key = "", 2: value = "" }) => {
    const from = start + index + key.length + 1;
    return isDrawn(value) ? [{ start: from, end: from + value.length, rule: "cookie" }] : [];
  });
}

function isDrawn(value: string): boolean {
  return !value.startsWith(markStart) && isVaried(value) && (looksDrawn(value) || isUuid(value));
}
