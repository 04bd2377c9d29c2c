import { columnsOf } from "./columns.ts";

export interface AlignedColumn {
  readonly name: string;
  /** Default: the name. */
  readonly title?: string;
  readonly alignment: "left" | "right";
}

const between = "  ";

/**
 * Rows of visible text as a table: the head and one line for each row, without colour and without spaces at the end.
 * Columns are as wide as their widest cell and have two spaces between them.
 *
 * @param rows cells by the names of their columns; a missing one is empty
 */
export function alignedLines(
  columns: readonly AlignedColumn[],
  rows: readonly Readonly<Record<string, string>>[],
): readonly string[] {
  const head = columns.map(({ name, title = name }) => title);
  const lines = [head, ...rows.map((row) => columns.map(({ name }) => row[name] ?? ""))];
  const widths = columns.map((_, place) =>
    lines.reduce((most, cells) => Math.max(most, columnsOf(cells[place] ?? "")), 0),
  );
  return lines.map((cells) =>
    columns
      .map(({ alignment }, place) => padded(cells[place] ?? "", widths[place] ?? 0, alignment))
      .join(between)
      .trimEnd(),
  );
}

function padded(cell: string, columns: number, alignment: AlignedColumn["alignment"]): string {
  const space = " ".repeat(columns - columnsOf(cell));
  return alignment === "left" ? `${cell}${space}` : `${space}${cell}`;
}
