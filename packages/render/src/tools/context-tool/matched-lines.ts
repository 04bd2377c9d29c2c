import { contextToolLimits } from "./limits.ts";
import { counted, countText, field } from "./object-words.ts";

export interface LineRange {
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

/** What is looked for, and where. */
interface SearchedRange extends LineRange {
  readonly match: string;
  /** Characters that there is room for. */
  readonly charsMax: number;
}

/**
 * Lines with a text in any case, and those around them, as `grep -n -C` prints them: `30:` on lines that match, `31-`
 * around them, `--` between places.
 */
export function matchedLines(lines: readonly string[], { first, last, match, charsMax }: SearchedRange): ShownPart {
  const sought = match.slice(0, matchCharsMax).toLowerCase();
  const found: number[] = [];
  for (let place = first - 1; place < last; place += 1) {
    if (lines[place]?.toLowerCase().includes(sought) === true) found.push(place);
  }
  const total = counted(lines.length, "line");
  if (found.length === 0) return { which: `no line of ${total} has "${field(match)}"`, text: "", isWhole: false };
  const { rows, shown } = rowsOf(lines, found, { sought, charsMax });
  const all = `${countText(found.length)} ${found.length === 1 ? "match" : "matches"}`;
  const count = shown < found.length ? `${shown} of ${all}` : all;
  const rest = shown < found.length ? `; the rest: the same match with lines ${(found[shown] ?? 0) + 1}-` : "";
  return { which: `${count} of "${field(match)}" in ${total}${rest}`, text: rows.join("\n"), isWhole: false };
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
