import type { LineRange, ShownPart } from "./matched-lines.ts";
import { matchedLines } from "./matched-lines.ts";
import { counted, countText, field, linesOf } from "./object-words.ts";

/** What of a text is asked for. */
export interface RequestedPart {
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
  const which = `lines ${countText(first)}-${countText(end)} ${of}`;
  const rest = end < last ? `; the rest: lines ${end + 1}-${last === lines.length ? "" : last}` : "";
  return { which: which + rest, text: taken.join("\n"), isWhole: false };
}

const whole = (lines: number): string => (lines === 1 ? "all of it" : `all ${countText(lines)} lines`);

function startOfLine(line: string, which: string, charsMax: number): ShownPart {
  const text = line.slice(0, Math.max(0, charsMax)).toWellFormed();
  const shown = `characters 1-${countText(text.length)} of ${countText(line.length)} of ${which}`;
  return { which: `${shown}; match shows other places of it`, text, isWhole: false };
}
