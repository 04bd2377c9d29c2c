import { contextToolLimits } from "./limits.ts";
import { counted, countText, field, linesOf } from "./object-words.ts";

/** What of a text is asked for. */
interface RequestedPart {
  /** As it was given: `20-80`, `901-`, `-50`. */
  readonly lines: string | undefined;
  readonly match: string | undefined;
  /** Characters that there is room for. */
  readonly charsMax: number;
}

/** The part of a text that is asked for, or the words that say why there is none. */
export function shownPart(
  text: string,
  { lines: asked, match, charsMax }: RequestedPart,
): ShownPart | { readonly none: string } {
  const lines = linesOf(text);
  if (lines.length === 0) return { which: "no text", text: "", isWhole: true };
  const range = asked === undefined ? { first: 1, last: lines.length } : rangeOf(asked, lines.length);
  if (range === undefined) return { none: `"${field(asked ?? "")}" names no lines; write them as 20-80` };
  if (range.first > lines.length) return { none: `it has ${counted(lines.length, "line")}, and none of those` };
  if (match !== undefined) return matchedLines(lines, { ...range, match, charsMax });
  return ofRange(text, lines, { ...range, charsMax });
}

function rangeOf(asked: string, count: number): LineRange | undefined {
  const [, first = "", dash = "", last = ""] =
    /(\d{0,9})\s*(-|\.\.+|–|:|,|to|\s)?\s*(\d{0,9})/.exec(
      asked.replace(/^\D+(?=\d)/, (start) => (/^\s*[-–]/.test(start) ? "-" : "")),
    ) ?? [];
  if (first === "" && last === "") return undefined;
  if (first === "") return { first: Math.max(1, count - Number(last) + 1), last: count };
  const from = Math.max(1, Number(first));
  const to = last === "" ? (dash === "" ? from : count) : Number(last);
  return { first: Math.min(from, Math.max(1, to)), last: Math.min(count, Math.max(from, to)) };
}

function ofRange(
  text: string,
  lines: readonly string[],
  { first, last, charsMax }: LineRange & Pick<RequestedPart, "charsMax">,
): ShownPart {
  const isAsked = first === 1 && last === lines.length;
  if (isAsked && text.length <= charsMax) return { which: whole(lines.length), text, isWhole: true };
  const taken: string[] = [];
  let room = charsMax;
  for (let place = first - 1; place < last; place += 1) {
    const line = lines[place] ?? "";
    if (line.length + 1 > room) break;
    taken.push(line);
    room -= line.length + 1;
  }
  const of = `of ${countText(lines.length)}`;
  if (taken.length === 0) return startOfLine(lines[first - 1] ?? "", `line ${countText(first)} ${of}`, charsMax);
  const end = first - 1 + taken.length;
  const which = `${rangeText(first, end)} ${of}`;
  const rest = end < last ? `; the rest: lines ${end + 1}-${last === lines.length ? "" : last}` : "";
  return { which: which + rest, text: taken.join("\n"), isWhole: false };
}

/** `line 7`, `lines 7-9`. */
const rangeText = (first: number, last: number): string =>
  first === last ? `line ${countText(first)}` : `lines ${countText(first)}-${countText(last)}`;

const whole = (lines: number): string => (lines === 1 ? "all of it" : `all ${countText(lines)} lines`);

function startOfLine(line: string, which: string, charsMax: number): ShownPart {
  const text = line.slice(0, Math.max(0, charsMax)).toWellFormed();
  const shown = `characters 1-${countText(text.length)} of ${countText(line.length)} of ${which}`;
  return { which: `${shown}; match shows other places of it`, text, isWhole: false };
}

interface LineRange {
  /** From 1. */
  readonly first: number;
  readonly last: number;
}

/** A part of a text, and the words of its head line that say which: `lines 20-80 of 480`. */
export interface ShownPart {
  readonly which: string;
  readonly text: string;
  readonly isWhole: boolean;
}

const { matchesMax, matchAroundLines, matchCharsMax, matchLineCharsMax } = contextToolLimits;

/**
 * Lines with a text in any case, and those around them, as `grep -n -C` prints them: `30:` on lines that match, `31-`
 * around them, `--` between places.
 */
function matchedLines(
  lines: readonly string[],
  { first, last, match, charsMax }: LineRange & { readonly match: string; readonly charsMax: number },
): ShownPart {
  const sought = match.slice(0, matchCharsMax).toLowerCase();
  const found: number[] = [];
  for (let place = first - 1; place < last; place += 1) {
    if (lines[place]?.toLowerCase().includes(sought) === true) found.push(place);
  }
  const isPart = first > 1 || last < lines.length;
  // What was not looked at may match, too.
  const where = isPart ? `${rangeText(first, last)} of ${countText(lines.length)}` : counted(lines.length, "line");
  const none = isPart && first === last ? `${where} has no` : `no line of ${where} has`;
  if (found.length === 0) return { which: `${none} "${field(match)}"`, text: "", isWhole: false };
  const { rows, shown } = rowsOf(lines, found, { sought, charsMax });
  const all = `${countText(found.length)} ${found.length === 1 ? "match" : "matches"}`;
  const count = shown < found.length ? `${shown} of ${all}` : all;
  const next = `${(found[shown] ?? 0) + 1}-${last < lines.length ? last : ""}`;
  const rest = shown < found.length ? `; the rest: the same match with lines ${next}` : "";
  return { which: `${count} of "${field(match)}" in ${where}${rest}`, text: rows.join("\n"), isWhole: false };
}

function rowsOf(
  lines: readonly string[],
  found: readonly number[],
  { sought, charsMax }: { readonly sought: string; readonly charsMax: number },
): { readonly rows: readonly string[]; readonly shown: number } {
  const hits = new Set(found);
  const rows: string[] = [];
  let room = charsMax;
  let shown = 0;
  /** The first line that no row shows yet. */
  let next = 0;
  for (const place of found.slice(0, matchesMax)) {
    const from = Math.max(next, place - matchAroundLines);
    const end = Math.min(lines.length, place + matchAroundLines + 1);
    const block = rows.length > 0 && from > next ? ["--"] : [];
    for (let at = from; at < end; at += 1) {
      block.push(`${at + 1}${hits.has(at) ? ":" : "-"}${partAround(lines[at] ?? "", sought)}`);
    }
    room -= block.reduce((sum, row) => sum + row.length + 1, 0);
    if (room < 0) break;
    rows.push(...block);
    next = Math.max(next, end);
    shown += 1;
  }
  return { rows, shown };
}

/** A long line around the place that matches. */
export function partAround(line: string, sought: string, charsMax: number = matchLineCharsMax): string {
  if (line.length <= charsMax) return line;
  const from = Math.max(0, line.toLowerCase().indexOf(sought) - Math.floor(charsMax / 3));
  const part = line.slice(from, from + charsMax).toWellFormed();
  return `${from > 0 ? "..." : ""}${part}${from + charsMax < line.length ? "..." : ""}`;
}
