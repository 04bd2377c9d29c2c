import { type AlignedColumn, alignedLines } from "@cm/terminal-text/tables";
import { grouped } from "../../numbers.ts";
import type { LiveRun } from "./live-result.ts";
import { byPolicy, summarizeLiveRuns } from "./live-summary.ts";

const columns = [
  { name: "task", alignment: "left" },
  { name: "policy", alignment: "left" },
  { name: "solved", alignment: "right" },
  { name: "quotes", alignment: "right" },
  { name: "end", alignment: "left" },
  { name: "requests", alignment: "right" },
  { name: "input", alignment: "right" },
  { name: "read", title: "cache read", alignment: "right" },
  { name: "write", title: "cache write", alignment: "right" },
  { name: "output", alignment: "right" },
  { name: "billed", alignment: "right" },
  { name: "seconds", alignment: "right" },
] as const satisfies readonly AlignedColumn[];

type Cells = Record<(typeof columns)[number]["name"], string>;

/** A row for each task and policy, its repetitions added up, and a total for each policy. Ends in `\n`. */
export function liveTable(runs: readonly LiveRun[]): string {
  const groups = Map.groupBy(runs, ({ task, policy }) => `${task} ${policy}`);
  const totals = [...byPolicy(runs).values()].map((group) => ({ ...cells(group), task: "total" }));
  return `${alignedLines(columns, [...[...groups.values()].map(cells), ...totals]).join("\n")}\n`;
}

function cells(runs: readonly LiveRun[]): Cells {
  const [first] = runs;
  const { solved, asked, quoted, ...sums } = summarizeLiveRuns(runs);
  return {
    task: first?.task ?? "",
    policy: first?.policy ?? "",
    solved: `${solved}/${runs.length}`,
    quotes: asked === 0 ? "-" : `${quoted}/${asked}`,
    end: [...new Set(runs.map(({ end }) => end))].join(" "),
    requests: grouped(sums.requests),
    input: grouped(sums.input),
    read: grouped(sums.cacheRead),
    write: grouped(sums.cacheWrite),
    output: grouped(sums.output),
    billed: grouped(sums.billed),
    seconds: grouped(sums.seconds),
  };
}
