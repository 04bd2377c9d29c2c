import { styleText } from "node:util";
import { Table } from "console-table-printer";
import type { RunResult } from "../replay/run-result.ts";
import { limits } from "./limits.ts";
import { fixed, grouped, percent } from "./numbers.ts";
import { bySession, type ResultRow, resultRow, totalRows } from "./result-rows.ts";
import { columnsOf, shortenedText, visibleText } from "./visible-text.ts";

export interface TableOptions {
  readonly color: boolean;
  /** Columns of the terminal. File names are shortened in the middle to fit. */
  readonly width?: number;
}

/** Least columns of a file name; a narrower terminal wraps. */
const fileColumnsMin = 10;

const columns = [
  { name: "file", alignment: "left" },
  { name: "policy", alignment: "left" },
  { name: "calls", alignment: "right" },
  { name: "billed", title: "billed %", alignment: "right" },
  { name: "sent", title: "sent %", alignment: "right" },
  { name: "cached", title: "cached %", alignment: "right" },
  { name: "peak", alignment: "right" },
  { name: "needed", alignment: "right" },
  { name: "seconds", alignment: "right" },
] as const;

/** The library turns an empty style into empty lines, which `plainLines` drops; rules are drawn here. */
const noLine = { left: "", mid: "", right: "", other: "" };
const noStyle = { headerTop: noLine, headerBottom: noLine, tableBottom: noLine, rowSeparator: noLine, vertical: "" };

/**
 * The runs as a table for the terminal: one row per session and policy and, where there are several sessions, one
 * total per policy. Lines end in `\n`, the last one too; without colour the text has no control characters.
 */
export function resultTable(runs: readonly RunResult[], options: TableOptions): string {
  const rows = runs.map((run) => cells(run.file, resultRow(run)));
  const totals = bySession(runs).length > 1 ? totalRows(runs).map((row) => cells("total", row)) : [];
  const [head = "", ...body] = plainLines([...rows, ...totals], options.width ?? limits.tableColumns);
  const paint = (style: "bold" | "dim", line: string) =>
    options.color ? styleText(style, line, { validateStream: false }) : line;
  const rule = paint("dim", "─".repeat(Math.max(...[head, ...body].map(columnsOf))));
  const lines = [paint("bold", head), rule, ...body.slice(0, rows.length)];
  if (totals.length > 0) lines.push(rule, ...body.slice(rows.length).map((line) => paint("bold", line)));
  return `${lines.join("\n")}\n`;
}

type Cells = Record<(typeof columns)[number]["name"], string>;

function cells(file: string, row: ResultRow): Cells {
  return {
    file: visibleText(file, limits.nameCharsMax),
    policy: shortenedText(visibleText(row.policy, limits.nameCharsMax), limits.policyColumnsMax),
    calls: grouped(row.calls),
    billed: percent(row.billedShare),
    sent: percent(row.sentShare),
    cached: percent(row.cachedShare),
    peak: grouped(row.peakChars),
    needed: `${row.neededMet}/${row.needed}`,
    seconds: fixed(row.seconds),
  };
}

/** The head and one line per row. */
function plainLines(rows: readonly Cells[], width: number): readonly string[] {
  const fileColumns = Math.max(fileColumnsMin, width - widthBesideFile(rows));
  const table = new Table({
    shouldDisableColors: true,
    style: noStyle,
    columns: columns.map((column) => ({ ...column })),
  });
  for (const row of rows) table.addRow({ ...row, file: shortenedText(row.file, fileColumns) });
  const lines = table
    .render()
    .split("\n")
    .filter((line) => line !== "");
  return lines.map((line) => line.slice(1).trimEnd());
}

/** Each column has one space on either side; the first one's left and the last one's right space are cut off. */
function widthBesideFile(rows: readonly Cells[]): number {
  const others = columns.slice(1).map((column) => {
    const title = "title" in column ? column.title : column.name;
    return Math.max(title.length, ...rows.map((row) => columnsOf(row[column.name]))) + 2;
  });
  return others.reduce((total, columnWidth) => total + columnWidth, 0);
}
