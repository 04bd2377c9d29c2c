import { diffArrays } from "diff";

/** What stands in place of which characters of a text, by its places in the text as it was, ascending. */
export type TextEdit = [start: number, end: number, text: string];

/** Texts that differ in more pieces are compared by their two ends: bounded by edits, never by time. */
const differencesMax = 1_000;

/**
 * Edits that make one text of another. They hold what was put in and, as far as the texts can be compared, nothing of the
 * text itself: a step does not repeat content. Lines are compared, then the words of lines that changed.
 */
export function textEdits(from: string, to: string): readonly TextEdit[] {
  return editsBetween(from, to, 0, [/(?<=\n)/, /\b/]);
}

function editsBetween(from: string, to: string, offset: number, cuts: readonly RegExp[]): readonly TextEdit[] {
  if (from === to) return [];
  const [cut, ...finer] = cuts;
  if (cut === undefined || from === "" || to === "") return [betweenEnds(from, to, offset)];
  const pieces = diffArrays(from.split(cut), to.split(cut), { maxEditLength: differencesMax });
  if (pieces === undefined) return [betweenEnds(from, to, offset)];
  const edits: TextEdit[] = [];
  let place = offset;
  let [gone, put] = ["", ""];
  for (const { value, added, removed } of [...pieces, { value: [], added: false, removed: false }]) {
    const text = value.join("");
    if (added) put += text;
    else if (removed) gone += text;
    else {
      edits.push(...editsBetween(gone, put, place, finer));
      place += gone.length + text.length;
      [gone, put] = ["", ""];
    }
  }
  return edits;
}

/** The part between the common start and the common end, neither of which ends within a character. */
function betweenEnds(from: string, to: string, offset: number): TextEdit {
  const room = Math.min(from.length, to.length);
  let start = 0;
  while (start < room && from[start] === to[start]) start += 1;
  if (/[\ud800-\udbff]$/.test(from.slice(0, start))) start -= 1;
  let end = 0;
  while (end < room - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end += 1;
  if (/^[\udc00-\udfff]/.test(from.slice(from.length - end))) end -= 1;
  return [offset + start, offset + from.length - end, to.slice(start, to.length - end)];
}

export function withEdits(text: string, edits: readonly TextEdit[]): string {
  let place = 0;
  let edited = "";
  for (const [start, end, put] of edits) {
    edited += text.slice(place, start) + put;
    place = end;
  }
  return edited + text.slice(place);
}
