import { redactLimits } from "../limits.ts";
import { isThoughtUp } from "./find-passwords.ts";
import { isAgainst, strengthOf, wordsOf } from "./name-strength.ts";
import { markStart, type Span } from "./span.ts";
import { gradeOf } from "./token-grade.ts";

const headCell = /^[`*"'# \t]{0,4}[A-Za-z\d\u00aa-\uffff][A-Za-z\d\u00aa-\uffff _./-]{0,32}[`*"' \t]{0,4}$/;
/** What stands in lines of code and of settings, and in no head. */
const notInHeads = Uint8Array.from({ length: 128 }, (_, char) => +"(){}=<>:@$&[]".includes(String.fromCharCode(char)));
const newline = 10;
const ruler = /^[\s|+:=\u2500-\u257f-]+$/;
/** What parts the cells, the surest first. */
const partings = [/[|\u2502\u2503]/g, /\t| {2,}/g, /;/g, /,/g];
const decoration = /^[`*"'\s]+|[`*"'\s]+$/g;

interface Cell {
  readonly start: number;
  readonly text: string;
}

/** Finds secrets below a column's head: tables of Markdown and of databases, CSV, columns that blanks part. */
export function findInTables(text: string, names: readonly number[]): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const at of names) {
    if (at < from) continue;
    const line = headAround(text, at);
    // Of a line that is too long, no part is examined twice.
    if (line === undefined) from = at + 1;
    else if (line.end - line.start > redactLimits.tableLineCharsMax)
      from = Math.max(line.end, at + redactLimits.tableLineCharsMax / 2);
    else {
      from = line.end;
      const head = headOf(text.slice(line.start, line.end));
      if (head !== undefined && !isRow(text, line.start, head)) spans.push(...secretsBelow(text, line.end, head));
    }
  }
  return spans;
}

/** The line where a name stands, unless it has what stands in no head; that is most often near. */
function headAround(text: string, at: number): { readonly start: number; readonly end: number } | undefined {
  const most = Math.min(text.length, at + redactLimits.tableLineCharsMax);
  let end = at;
  for (; end < most; end++) {
    const char = text.charCodeAt(end);
    if (char === newline) break;
    if (char < 128 && notInHeads[char] === 1) return undefined;
  }
  const least = Math.max(0, at - redactLimits.tableLineCharsMax);
  let start = at;
  for (; start > least; start--) {
    const char = text.charCodeAt(start - 1);
    if (char === newline) break;
    if (char < 128 && notInHeads[char] === 1) return undefined;
  }
  return { start, end };
}

interface Head {
  readonly parting: RegExp;
  readonly cells: number;
  readonly columns: readonly number[];
}

function headOf(line: string): Head | undefined {
  const parting = partings.find((one) => line.search(one) >= 0);
  if (parting === undefined) return undefined;
  const cells = cellsOf(line, parting);
  const filled = cells.filter((cell) => cell.text !== "");
  if (filled.length < 2 || !filled.every((cell) => headCell.test(cell.text))) return undefined;
  const columns = cells.flatMap((cell, n) => (isSecretColumn(wordsOf(cell.text.replace(decoration, ""))) ? [n] : []));
  return columns.length === 0 ? undefined : { parting, cells: cells.length, columns };
}

/** A line below another of the same table is no head, whatever its cells say. */
function isRow(text: string, start: number, { parting, cells }: Head): boolean {
  const before = text.slice(Math.max(0, start - 1 - redactLimits.tableLineCharsMax), Math.max(0, start - 1));
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return line.trim() !== "" && !ruler.test(line) && cellsOf(line, parting).length === cells;
}

function secretsBelow(text: string, end: number, { parting, cells, columns }: Head): Span[] {
  const spans: Span[] = [];
  const most = Math.min(text.length, end + redactLimits.tableCharsMax);
  for (let start = end + 1; start < most; ) {
    const next = text.indexOf("\n", start);
    const stop = next < 0 || next > most ? most : next;
    const line = text.slice(start, stop);
    if (!ruler.test(line)) {
      const row = cellsOf(line, parting);
      if (row.length !== cells) break;
      for (const column of columns) spans.push(...secretIn(row[column], start));
    }
    start = stop + 1;
  }
  return spans;
}

function secretIn(cell: Cell | undefined, lineStart: number): Span[] {
  const value = cell?.text.replace(decoration, "") ?? "";
  if (cell === undefined || value.length < 8 || value.length > 200 || value.startsWith(markStart) || !isSecret(value))
    return [];
  const start = lineStart + cell.start + cell.text.indexOf(value);
  return [{ start, end: start + value.length, rule: "column" }];
}

function isSecretColumn(words: string): boolean {
  return (strengthOf(words, words) >= 2 || /(?:^|_)(?:pass|pw)$/.test(words)) && !isAgainst(words);
}

/** A cell holds nothing but a value, so a digit between words is enough. */
function isSecret(value: string): boolean {
  return gradeOf(value) !== undefined || isThoughtUp(value, false);
}

function cellsOf(line: string, parting: RegExp): Cell[] {
  let start = 0;
  const cells: Cell[] = [];
  for (const { index, 0: sign } of line.matchAll(parting)) {
    cells.push({ start, text: line.slice(start, index) });
    start = index + sign.length;
  }
  cells.push({ start, text: line.slice(start) });
  return cells.map(({ start: at, text }) => ({ start: at + text.length - text.trimStart().length, text: text.trim() }));
}
