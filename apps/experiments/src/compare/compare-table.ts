import { styleText } from "node:util";
import { familyName } from "@cm/replay";
import { visibleLine } from "@cm/terminal-text";
import { type AlignedColumn, alignedLines, columnsOf, shortened } from "@cm/terminal-text/tables";
import { limits } from "../limits.ts";
import { noNumber } from "../numbers.ts";
import { limits as reportLimits } from "../report/limits.ts";
import { type ComparedRow, type Comparison, worseCount } from "./compare-results.ts";
import { type FigureName, figureNames } from "./compared-figures.ts";

const titles: Readonly<Record<FigureName, string>> = {
  billed: "billed %",
  faulted: "faulted %",
  needed: "needed %",
  union: "union %",
  cited: "cited %",
  inLine: "in line %",
  copied: "copied %",
  breaks: "breaks/100",
};

/**
 * The comparison for the terminal: each figure as it is after, then the change in points; `!` marks what got worse.
 * Lines end in `\n`; without colour the text has no control characters.
 */
export function comparisonTable(comparison: Comparison, { color }: { readonly color: boolean }): string {
  const { sessions, totals, alone } = comparison;
  const severalPrices = new Set(totals.map(({ pricing }) => pricing)).size > 1;
  const rows = [...sessions, ...totals];
  const columns = columnsFor(severalPrices);
  const [head = "", ...lines] = alignedLines(columns, rows.map(cells));
  const paint = (style: "bold" | "dim" | "red", line: string) =>
    color ? styleText(style, line, { validateStream: false }) : line;
  const body = lines.map((line, place) => (rows[place]?.worse.length === 0 ? line : paint("red", line)));
  const rule = paint("dim", "─".repeat(Math.max(...[head, ...lines].map(columnsOf))));
  return [
    ...[paint("bold", head), rule, ...body.slice(0, sessions.length), rule, ...body.slice(sessions.length), ""],
    verdict(comparison),
    ...(alone.length === 0 ? [] : [`Only in one of the two: ${alone.map(visible).join(", ")}.`]),
    "",
  ].join("\n");
}

function columnsFor(severalPrices: boolean): readonly AlignedColumn[] {
  const names = ["file", "policy", ...(severalPrices ? ["prices"] : [])];
  return [
    ...names.map((name) => ({ name, alignment: "left" as const })),
    ...figureNames.map((name) => ({ name, title: titles[name], alignment: "right" as const })),
  ];
}

/** Families are told apart where there are several. */
const totalName = (family: string | undefined): string => (family === undefined ? "total" : familyName(family));

function cells({ file, family, policy, pricing, before, after, worse }: ComparedRow): Readonly<Record<string, string>> {
  const figures = figureNames.map((name) => {
    const [was, is] = [before[name], after[name]];
    if (was === undefined || is === undefined) return [name, `${noNumber}  `];
    return [name, `${points(is)} ${change(is - was)}${worse.includes(name) ? " !" : "  "}`];
  });
  return {
    file: shortened(visible(file ?? totalName(family)), reportLimits.nameColumnsMax),
    policy: visible(policy),
    prices: visible(pricing),
    ...Object.fromEntries(figures),
  };
}

const points = (share: number): string => (100 * share).toFixed(1);

/** With its sign; nothing where it rounds to nothing. */
function change(share: number): string {
  const text = points(Math.abs(share));
  const signed = text === "0.0" ? "" : `${share < 0 ? "-" : "+"}${text}`;
  return signed.padStart(6);
}

function verdict(comparison: Comparison): string {
  const worse = worseCount(comparison);
  const noise = `${points(limits.comparedShareNoise)} points`;
  if (worse === 0) return `Nothing got worse by more than ${noise}.`;
  return `${worse === 1 ? "1 figure" : `${worse} figures`} got worse by more than ${noise} (!).`;
}

const visible = (name: string): string => visibleLine(name, reportLimits.nameCharsMax);
