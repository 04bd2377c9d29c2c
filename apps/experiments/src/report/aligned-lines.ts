import { Table } from "console-table-printer";

export interface AlignedColumn {
  readonly name: string;
  /** Default: the name. */
  readonly title?: string;
  readonly alignment: "left" | "right";
}

/** The library turns an empty style into empty lines, which are dropped; rules are drawn by whoever wants them. */
const noLine = { left: "", mid: "", right: "", other: "" };
const noStyle = { headerTop: noLine, headerBottom: noLine, tableBottom: noLine, rowSeparator: noLine, vertical: "" };

/** A head and one line per row, without colour; each column has one space on either side, the outermost none. */
export function alignedLines(
  columns: readonly AlignedColumn[],
  rows: readonly Readonly<Record<string, string>>[],
): readonly string[] {
  const table = new Table({
    shouldDisableColors: true,
    style: noStyle,
    columns: columns.map((column) => ({ ...column })),
  });
  for (const row of rows) table.addRow(Object.fromEntries(columns.map(({ name }) => [name, row[name] ?? ""])));
  const lines = table
    .render()
    .split("\n")
    .filter((line) => line !== "");
  return lines.map((line) => line.slice(1).trimEnd());
}
