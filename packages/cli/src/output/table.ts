import { styleText } from "node:util";
import { visibleLine } from "@cm/terminal-text";
import { alignedLines, columnsOf, shortened } from "@cm/terminal-text/tables";
import { limits } from "../limits.ts";

export interface Column {
  readonly title: string;
  readonly align?: "left" | "right";
  /** Cut in the middle where the terminal is narrow; other columns keep their width. */
  readonly shrinks?: true;
}

export interface TableSurface {
  readonly color: boolean;
  /** Columns of the terminal; undefined where nothing is cut. */
  readonly width: number | undefined;
}

/** Rows of text from anywhere as a table for people: a head, and one line for each row, each ending in `\n`. */
export function tableText(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { color, width }: TableSurface,
): string {
  const cells = rows.map((row) => columns.map((_, place) => visibleLine(row[place] ?? "", limits.fieldCharsMax)));
  const widths = fittedWidths(columns, cells, width);
  const [head = "", ...body] = alignedLines(
    columns.map(({ title, align = "left" }, place) => ({ name: `${place}`, title, alignment: align })),
    cells.map((row) => Object.fromEntries(row.map((cell, place) => [`${place}`, shortened(cell, widths[place] ?? 0)]))),
  );
  return [color ? styleText("bold", head, { validateStream: false }) : head, ...body]
    .map((line) => `${line}\n`)
    .join("");
}

/** Natural widths, the widest of those that shrink made smaller until the line fits. */
function fittedWidths(
  columns: readonly Column[],
  cells: readonly (readonly string[])[],
  width: number | undefined,
): readonly number[] {
  const widths = columns.map(({ title }, place) =>
    cells.reduce((most, row) => Math.max(most, columnsOf(row[place] ?? "")), columnsOf(title)),
  );
  if (width === undefined) return widths;
  const excess = () => widths.reduce((total, one) => total + one + 2, -2) - width;
  for (let over = excess(); over > 0; over = excess()) {
    const widest = widestShrinking(columns, widths);
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function widestShrinking(columns: readonly Column[], widths: readonly number[]): number | undefined {
  let widest: number | undefined;
  for (const [place, { shrinks, title }] of columns.entries()) {
    const own = widths[place] ?? 0;
    const least = Math.max(limits.columnColumnsMin, columnsOf(title));
    if (shrinks === true && own > least && own > (widest === undefined ? 0 : (widths[widest] ?? 0))) widest = place;
  }
  return widest;
}
