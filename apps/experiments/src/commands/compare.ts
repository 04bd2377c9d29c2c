import { readResults } from "@cm/replay";
import { type Comparison, compareResults, worseCount } from "../compare/compare-results.ts";
import { comparisonTable } from "../compare/compare-table.ts";
import { fromCaller } from "./caller-folder.ts";

/** `compare BEFORE AFTER`: two replays of the same recordings. True where nothing got worse. */
export function compare(before: string, after: string, { json }: { readonly json?: true }): boolean {
  const comparison = compareResults(readResults(fromCaller(before)), readResults(fromCaller(after)));
  process.stdout.write(json === true ? `${JSON.stringify(told(comparison))}\n` : table(comparison));
  return worseCount(comparison) === 0;
}

function told(comparison: Comparison) {
  return { ...comparison, worse: worseCount(comparison) };
}

function table(comparison: Comparison): string {
  return comparisonTable(comparison, { color: process.stdout.isTTY === true && process.env.NO_COLOR === undefined });
}
