import { redactLimits } from "../limits.ts";
import { markOf, type Span } from "./span.ts";

const rule = "pem";
/** The keys of SSH's second version have four signs and a blank. */
const beginning = /-{4,5} ?BEGIN (?:[A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1) ?-{4,5}/y;
/** What the secret keys are called, each with the anchor at its end. */
const kinds = ["PRIVATE KEY", "Static key"] as const;
const beginCharsMax = 50;
const ending = /-----END (?:[A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)-----/y;
const keyCharsMin = 40;
const prefixCharsMax = 64;

const putty = "PuTTY-User-";
/** Of a private key of PuTTY: from its name to the lines that are secret. */
const toPuttyLines = /Private-Lines: \d{1,3}(?:\\{1,3}r)?(?:\\{1,3}n|\r?\n)/;
const puttyCharsMax = 8_192;

/**
 * Finds private keys, from BEGIN to END; where the END is missing, as far as lines look like one; where the BEGIN is, as
 * far back as they do.
 */
export function findPrivateKeys(text: string, names: readonly number[]): Span[] {
  const spans: Span[] = [];
  let nextEnd = -1;
  let from = 0;
  for (const name of names) {
    if (name >= from && text.startsWith(putty, name - putty.length)) {
      const span = puttyKeyAt(text, name);
      from = span?.end ?? Math.min(text.length, name + puttyCharsMax);
      if (span !== undefined) spans.push(span);
      continue;
    }
    const kind = kinds.find((one) => text.startsWith(one, name - one.length + "key".length));
    if (kind === undefined) continue;
    const at = name - kind.length + "key".length;
    if (at < from) continue;
    const start = beginAt(text, at);
    if (start === undefined) {
      const span = keyBeforeEnd(text, at, from);
      if (span !== undefined) spans.push(span);
      continue;
    }
    if (start < from) continue;
    if (nextEnd < at && nextEnd !== text.length) nextEnd = orLength(text.indexOf("-----END ", at), text);
    const end = endOf(text, { body: beginning.lastIndex, nextEnd });
    from = end;
    if (!holdsKey(text.slice(beginning.lastIndex, end))) continue;
    spans.push({ start, end, rule, replacement: blanked(text, start, end) });
  }
  return spans;
}

const beginBefore = /-{4,5} ?BEGIN [\w ]{0,32}$/;

function beginAt(text: string, at: number): number | undefined {
  // Searched for in a short piece: in a text without one, a search backwards would go to its start, every time.
  const piece = text.slice(Math.max(0, at - beginCharsMax), at);
  const begin = beginBefore.exec(piece);
  if (begin === null) return undefined;
  const start = at - begin[0].length;
  beginning.lastIndex = start;
  return beginning.test(text) ? start : undefined;
}

function orLength(index: number, text: string): number {
  return index < 0 ? text.length : index;
}

function endOf(text: string, { body, nextEnd }: { readonly body: number; readonly nextEnd: number }): number {
  if (nextEnd - body <= redactLimits.privateKeyCharsMax) {
    ending.lastIndex = nextEnd;
    const begins = text.slice(body, nextEnd).includes("-----BEGIN ");
    if (!begins && ending.test(text)) return ending.lastIndex;
  }
  return endOfKeyLines(text, body);
}

const keyLine =
  /[ \t+>|-]{0,64}(?:[A-Za-z0-9+/=]{1,128}|(?:Proc-Type|Comment|Subject):[^\n]{0,120}|DEK-Info:[^\n]{0,120}|)[ \t]{0,8}\r?(?:\n|$|(?=\\n|\\r|["'`]))/y;

function endOfKeyLines(text: string, body: number): number {
  let end = body;
  const last = Math.min(text.length, body + redactLimits.privateKeyCharsMax);
  while (end < last) {
    if (text.startsWith("\\n", end) || text.startsWith("\\r", end)) {
      end += 2;
      continue;
    }
    keyLine.lastIndex = end;
    if (!keyLine.test(text) || keyLine.lastIndex === end) break;
    end = keyLine.lastIndex;
  }
  return text.charAt(end - 1) === "\n" ? end - 1 : end;
}

const endBefore = /-----END [A-Z0-9 ]{0,30}$/;
const lineBefore = /(?:^|["'`]|\n|\\n)([ \t+>|-]{0,64}[A-Za-z0-9+/=]{16,128})(?:\\r|\r)?(?:\\n|\n)$/;

/** The lines of a key before its END, as the last lines of a file have them. */
function keyBeforeEnd(text: string, at: number, from: number): Span | undefined {
  const piece = endBefore.exec(text.slice(Math.max(from, at - beginCharsMax), at));
  if (piece === null) return undefined;
  const end = at - piece[0].length;
  let start = end;
  for (;;) {
    const line = lineBefore.exec(text.slice(Math.max(from, start - 200), start));
    if (line === null) break;
    start = Math.max(from, start - 200) + line.index + line[0].indexOf(line[1] ?? "");
  }
  start += /^[ \t+>|-]{0,64}/.exec(text.slice(start, start + 64))?.[0].length ?? 0;
  return start >= end || !holdsKey(text.slice(start, end))
    ? undefined
    : { start, end, rule, replacement: blanked(text, start, end) };
}

function puttyKeyAt(text: string, at: number): Span | undefined {
  const found = toPuttyLines.exec(text.slice(at, at + puttyCharsMax));
  if (found === null) return undefined;
  const start = at + found.index + found[0].length;
  const end = endOfKeyLines(text, start);
  return holdsKey(text.slice(start, end)) ? { start, end, rule, replacement: blanked(text, start, end) } : undefined;
}

/** A document may show the two lines with dots between them. */
function holdsKey(body: string): boolean {
  return body.slice(0, 4_096).replace(/[^A-Za-z0-9+/=]/g, "").length >= keyCharsMin;
}

/** The mark, and as many line breaks as there were, each line with what stood before: indents, signs of a diff. */
function blanked(text: string, start: number, end: number): string {
  const piece = text.slice(Math.max(0, start - prefixCharsMax), start);
  const before = piece.slice(piece.lastIndexOf("\n") + 1);
  const lines = text.slice(start, end).split("\n");
  const isPrefix = before !== "" && /^[ \t+>|-]*$/.test(before);
  const kept = lines.slice(1).map((line) => {
    const lead = isPrefix && line.startsWith(before) ? before : (/^[ \t]*/.exec(line)?.[0] ?? "");
    return `\n${lead}${line.endsWith("\r") ? "\r" : ""}`;
  });
  return `${markOf(rule)}${lines[0]?.endsWith("\r") ? "\r" : ""}${kept.join("")}`;
}
