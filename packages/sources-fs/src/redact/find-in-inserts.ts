import { isThoughtUp } from "./find-passwords.ts";
import { isAgainst, strengthOf, wordsOf } from "./name-strength.ts";
import { markStart, type Span } from "./span.ts";
import { gradeOf } from "./token-grade.ts";

const columnsCharsMax = 400;
const rowsCharsMax = 4_000;
const cellsMax = 40;
/** The columns that an `INSERT` names, and where their values begin. */
const columns = /\(([\w\s,."`[\]]{3,400})\)\s{0,8}values\s{0,8}(?=\()/iy;
/** Most names stand in no list of columns. */
const ahead = /\)\s{0,8}values/iy;
const cell = /[(,]\s{0,8}(?:N?'([^'\\\n]{0,400})'|[^',()\n]{0,100})/y;

/** Finds secrets in rows that SQL inserts: the column at the same place has their name. */
export function findInInserts(text: string, names: readonly number[]): Span[] {
  const spans: Span[] = [];
  let from = 0;
  let close = -1;
  for (const at of names) {
    if (close < at) close = text.indexOf(")", at);
    if (close < 0) break;
    ahead.lastIndex = close;
    if (at < from || close - at > columnsCharsMax || !ahead.test(text)) continue;
    const open = text.slice(Math.max(0, at - columnsCharsMax), at).lastIndexOf("(");
    if (open < 0) continue;
    columns.lastIndex = Math.max(0, at - columnsCharsMax) + open;
    const found = columns.exec(text);
    if (found === null) continue;
    const heads = (found[1] ?? "").split(",").map(wordsOf);
    const secret = heads.map((head) => strengthOf(head, head) > 0 && head !== "key" && !isAgainst(head));
    from = columns.lastIndex;
    spans.push(...rowsAt(text, from, secret));
    from = Math.max(from, spans.at(-1)?.end ?? from);
  }
  return spans;
}

function rowsAt(text: string, start: number, secret: readonly boolean[]): Span[] {
  const spans: Span[] = [];
  const most = start + rowsCharsMax;
  let column = -1;
  for (let place = start, count = 0; place < most && count < cellsMax * secret.length; count++) {
    cell.lastIndex = place;
    const found = cell.exec(text);
    if (found === null) break;
    column = text.charAt(place) === "(" ? 0 : column + 1;
    const value = found[1];
    if (value !== undefined && secret[column] === true && isSecret(value)) {
      const end = cell.lastIndex - 1;
      spans.push({ start: end - value.length, end, rule: "column" });
    }
    place = cell.lastIndex;
    // The next row.
    if (text.charAt(place) === ")") place = nextRow(text, place + 1);
    if (place < 0) break;
  }
  return spans;
}

function nextRow(text: string, at: number): number {
  const gap = /^\s{0,4},\s{0,8}\(/.exec(text.slice(at, at + 16))?.[0];
  return gap === undefined ? -1 : at + gap.length - 1;
}

function isSecret(value: string): boolean {
  if (value.length < 8 || value.startsWith(markStart) || /^\$\d?[a-z\d]{1,10}\$/.test(value)) return false;
  return gradeOf(value) !== undefined || isThoughtUp(value, true);
}
