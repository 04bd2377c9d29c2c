import { type FamilySummary, familyName, familySummaries, type RunResult } from "@cm/replay";
import { counted, visibleLine } from "@cm/terminal-text";
import { type AlignedColumn, alignedLines, columnsOf, shortened } from "@cm/terminal-text/tables";
import { percent } from "../numbers.ts";
import { limits } from "./limits.ts";

/** A line of the table: the name of a family above its rows, a policy's figures, or what the columns say. */
export interface FamilyLine {
  readonly kind: "head" | "family" | "figures" | "legend";
  readonly text: string;
}

type Cells = Readonly<
  Record<
    | "policy"
    | "prices"
    | "total"
    | "mean"
    | "worst"
    | "cutOff"
    | "faulted"
    | "needed"
    | "missed"
    | "union"
    | "cited"
    | "inLine"
    | "copied",
    string
  >
>;

interface Column extends AlignedColumn {
  readonly name: keyof Cells;
}

const right = "right" as const;
const columns: readonly Column[] = [
  { name: "policy", alignment: "left" },
  { name: "prices", alignment: "left" },
  { name: "total", alignment: right },
  { name: "mean", alignment: right },
  { name: "worst", alignment: right },
  { name: "cutOff", title: "cut off", alignment: right },
  { name: "faulted", alignment: right },
  { name: "needed", alignment: right },
  { name: "missed", alignment: right },
  { name: "union", alignment: right },
  { name: "cited", alignment: right },
  { name: "inLine", title: "in line", alignment: right },
  { name: "copied", alignment: right },
];

/** What a narrow terminal goes without; `results.json` has all of it. */
const dispensable: readonly (keyof Cells)[] = ["cutOff", "faulted"];
const policyColumnsMin = 8;
const indent = "  ";

/** Each line fits the narrowest terminal that the figures fit. */
function legend(head: string): readonly string[] {
  const cutOff = head.includes("cut off");
  return [
    `Per cent. Billed: in total, mean of sessions, worst session${cutOff ? "; cut off: worst after any" : "."}`,
    `${cutOff ? "call from the 25th on. Missed:" : "Missed:"} needed texts out of view, in so many files.`,
  ];
}

/** All sessions of each family of agents, and of all families, under each policy. */
export function familyLines(runs: readonly RunResult[], width: number): readonly FamilyLine[] {
  const summaries = familySummaries(runs);
  const [head = "", ...lines] = fitted(summaries.map(cells), width);
  return [
    { kind: "head", text: head },
    ...summaries.flatMap((summary, at): FamilyLine[] => {
      const begins = at === 0 || summaries[at - 1]?.family !== summary.family;
      const figures: FamilyLine = { kind: "figures", text: lines[at] ?? "" };
      return begins ? [{ kind: "family", text: titleOf(summary) }, figures] : [figures];
    }),
    ...legend(head).map((text) => ({ kind: "legend" as const, text })),
  ];
}

function titleOf({ family, sessions }: FamilySummary): string {
  const name = family === undefined ? "all" : visibleLine(familyName(family), limits.nameColumnsMax);
  return `${name}, ${counted(sessions, "session")}`;
}

function cells({ policy, pricing = "", total, mean, worst, cutOff, missed }: FamilySummary): Cells {
  const figure = (share: number | undefined) => percent(share ?? Number.NaN);
  return {
    policy: `${indent}${shortened(visibleLine(policy, limits.nameCharsMax), limits.policyColumnsMax)}`,
    prices: shortened(visibleLine(pricing, limits.nameCharsMax), limits.policyColumnsMax),
    total: figure(total.billed),
    mean: figure(mean.billed),
    worst: figure(worst.share),
    cutOff: figure(cutOff?.share),
    faulted: figure(total.faulted),
    needed: figure(total.needed),
    missed: missedWords(missed),
    union: figure(total.union),
    cited: figure(total.cited),
    inLine: figure(total.inLine),
    copied: figure(total.copied),
  };
}

/** `9 in 3`: texts in files. */
export function missedWords({ texts, files }: Pick<FamilySummary["missed"], "texts" | "files">): string {
  return texts === 0 || files === undefined ? `${texts}` : `${texts} in ${files}`;
}

/** Less important columns go first, then policies lose the middle of their names. */
function fitted(rows: readonly Cells[], width: number): readonly string[] {
  const several = new Set(rows.map(({ prices }) => prices)).size > 1;
  let shown = columns.filter(({ name }) => several || name !== "prices");
  const widthOf = (lines: readonly string[]) => Math.max(...lines.map(columnsOf));
  for (const least of dispensable) {
    if (widthOf(alignedLines(shown, rows)) <= width) break;
    shown = shown.filter(({ name }) => name !== least);
  }
  const over = widthOf(alignedLines(shown, rows)) - width;
  if (over <= 0) return alignedLines(shown, rows);
  const longest = Math.max(...rows.map(({ policy }) => columnsOf(policy)));
  const policyColumns = Math.max(indent.length + policyColumnsMin, longest - over);
  return alignedLines(
    shown,
    rows.map((row) => ({ ...row, policy: shortened(row.policy, policyColumns) })),
  );
}
