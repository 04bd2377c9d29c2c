import { styleText } from "node:util";
import { defined } from "@cm/object-model";
import type { RunResult } from "@cm/replay";
import { visibleLine } from "@cm/terminal-text";
import { type AlignedColumn, alignedLines, columnsOf, shortened } from "@cm/terminal-text/tables";
import { fixed, grouped, percent } from "../numbers.ts";
import { familyLines, missedWords } from "./family-table.ts";
import { limits } from "./limits.ts";
import { bySession, type ResultRow, resultRow } from "./result-rows.ts";

export interface TableOptions {
  readonly color: boolean;
  /** Columns of the terminal. File names are shortened in the middle to fit. */
  readonly width?: number;
}

/** Least columns of a file name; a terminal too narrow for all figures goes without some, one narrower still wraps. */
const fileColumnsMin = 15;

interface Column extends AlignedColumn {
  readonly name: keyof Cells;
}

const columns: readonly Column[] = [
  { name: "file", alignment: "left" },
  { name: "policy", alignment: "left" },
  { name: "prices", alignment: "left" },
  { name: "calls", alignment: "right" },
  { name: "billed", alignment: "right" },
  { name: "faulted", alignment: "right" },
  { name: "cutOff", title: "cut off", alignment: "right" },
  { name: "sent", alignment: "right" },
  { name: "cached", alignment: "right" },
  { name: "peak", alignment: "right" },
  { name: "needed", alignment: "right" },
  { name: "missed", alignment: "right" },
  { name: "union", alignment: "right" },
  { name: "cited", alignment: "right" },
  { name: "inLine", title: "in line", alignment: "right" },
  { name: "copied", alignment: "right" },
  { name: "seconds", alignment: "right" },
];

const ofPlain: ReadonlySet<keyof Cells> = new Set(["billed", "faulted", "cutOff", "sent"]);

/** Columns that most names fit in: some figures are worth less than telling files apart. */
const fileColumnsWanted = 26;

/** The columns that are dropped first in a narrow terminal; `results.json` has all of them. */
const dispensable: readonly (keyof Cells)[] = [
  "cached",
  "seconds",
  "sent",
  "peak",
  "cutOff",
  "missed",
  "faulted",
  "calls",
];
/** Those that go already for a name that would lose its middle. */
const goesFirst: ReadonlySet<keyof Cells> = new Set(["cached", "seconds", "sent", "peak"]);

/**
 * The runs as a table for the terminal: one row per session and policy and, where there are several sessions, below
 * them what families of agents have in total, as a mean and at worst. Shares are per cent. Lines end in `\n`, the last one too; without colour the text has no control characters.
 */
export function resultTable(runs: readonly RunResult[], options: TableOptions): string {
  const width = options.width ?? limits.tableColumns;
  const rows = runs.map((run) => cells(run.file, resultRow(run)));
  const shown = columnsFor(rows, width);
  const [head = "", ...body] = plainLines(rows, shown, width);
  const families = bySession(runs).length > 1 ? familyLines(runs, width) : [];
  const paint = (style: "bold" | "dim", line: string) =>
    options.color ? styleText(style, line, { validateStream: false }) : line;
  const rule = paint(
    "dim",
    "─".repeat(Math.max(...[head, ...body, ...families.map(({ text }) => text)].map(columnsOf))),
  );
  const lines = [paint("bold", head), rule, ...body, ...legend(shown).map((line) => paint("dim", line))];
  if (families.length > 0) {
    const styles = { head: "bold", family: "bold", legend: "dim", figures: undefined } as const;
    const [titles = "", ...figures] = families.map(({ kind, text }) => {
      const style = styles[kind];
      return style === undefined ? text : paint(style, text);
    });
    lines.push("", titles, rule, ...figures);
  }
  return `${lines.join("\n")}\n`;
}

interface Cells {
  readonly file: string;
  readonly policy: string;
  readonly prices: string;
  readonly calls: string;
  readonly billed: string;
  readonly faulted: string;
  readonly cutOff: string;
  readonly sent: string;
  readonly cached: string;
  readonly peak: string;
  readonly needed: string;
  readonly missed: string;
  readonly union: string;
  readonly cited: string;
  readonly inLine: string;
  readonly copied: string;
  readonly seconds: string;
}

function cells(file: string, row: ResultRow): Cells {
  const { cited = 0, citedMet = Number.NaN, citedInLine = Number.NaN } = row;
  const { union = 0, unionMet = Number.NaN, copied = 0, copiedMet = Number.NaN } = row;
  return {
    file: visibleLine(file, limits.nameCharsMax),
    policy: shortened(visibleLine(row.policy, limits.nameCharsMax), limits.policyColumnsMax),
    prices: shortened(visibleLine(row.pricing ?? "", limits.nameCharsMax), limits.policyColumnsMax),
    calls: grouped(row.calls),
    billed: percent(row.billedShare),
    faulted: percent(row.faultedShare ?? Number.NaN),
    cutOff: percent(row.cutOffShare ?? Number.NaN),
    sent: percent(row.sentShare),
    cached: percent(row.cachedShare),
    peak: grouped(row.peakChars),
    needed: `${row.neededMet}/${row.needed}`,
    missed: missedWords({ texts: row.needed - row.neededMet, ...defined({ files: row.missedFiles }) }),
    union: percent(unionMet / union),
    cited: percent(citedMet / cited),
    inLine: percent(citedInLine / cited),
    copied: percent(copiedMet / copied),
    seconds: fixed(row.seconds),
  };
}

/** What the figures are of, in short; each line fits the narrowest terminal that the figures fit. */
function legend(shown: readonly Column[]): readonly string[] {
  const shares = shown.filter(({ name }) => ofPlain.has(name)).map(({ name, title = name }) => title);
  const where = (column: keyof Cells, words: string) => (shown.some(({ name }) => name === column) ? words : "");
  return [
    `Per cent of an unmanaged prompt: ${shares.join(", ")}${where("peak", "; peak in characters")}.`,
    `Needed: edits whose old text was in view${where("missed", "; missed: the others, in so many files")}.`,
    "Union to copied: other text that calls used, per cent in view; see the report.",
  ];
}

/** The head and one line per row. */
function plainLines(rows: readonly Cells[], shown: readonly Column[], width: number): readonly string[] {
  const fileColumns = Math.max(fileColumnsMin, width - widthBesideFile(rows, shown));
  return alignedLines(
    shown,
    rows.map((row) => ({ ...row, file: shortened(row.file, fileColumns) })),
  );
}

/** Prices are named where there are several. */
function columnsFor(rows: readonly Cells[], width: number): readonly Column[] {
  const several = new Set(rows.map(({ prices }) => prices)).size > 1;
  let shown = columns.filter(({ name }) => several || name !== "prices");
  const longest = Math.max(...rows.map(({ file }) => columnsOf(file)));
  for (const least of dispensable) {
    const wanted = goesFirst.has(least) ? Math.min(longest, fileColumnsWanted) : fileColumnsMin;
    if (widthBesideFile(rows, shown) + wanted <= width) continue;
    shown = shown.filter(({ name }) => name !== least);
  }
  return shown;
}

/** Each column has one space on either side; the first one's left and the last one's right space are cut off. */
function widthBesideFile(rows: readonly Cells[], shown: readonly Column[]): number {
  const others = shown.slice(1).map((column) => {
    const title = column.title ?? column.name;
    return Math.max(title.length, ...rows.map((row) => columnsOf(row[column.name]))) + 2;
  });
  return others.reduce((total, columnWidth) => total + columnWidth, 0);
}
