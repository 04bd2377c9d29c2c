import { Table } from "console-table-printer";
import type { LiveRun } from "./live-result.ts";

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
] as const;

type Cells = Record<(typeof columns)[number]["name"], string>;

const line = { left: "", mid: "", right: "", other: "" };
const style = { headerTop: line, headerBottom: line, tableBottom: line, rowSeparator: line, vertical: "" };

/** A row for each task and policy, its repetitions added up, and a total for each policy. Ends in `\n`. */
export function liveTable(runs: readonly LiveRun[]): string {
  const table = new Table({ shouldDisableColors: true, style, columns: columns.map((column) => ({ ...column })) });
  for (const group of groups(runs, ({ task, policy }) => `${task} ${policy}`)) table.addRow(cells(group));
  for (const group of groups(runs, ({ policy }) => policy)) table.addRow({ ...cells(group), task: "total" });
  const lines = table
    .render()
    .split("\n")
    .filter((text) => text !== "");
  return `${lines.map((text) => text.slice(1).trimEnd()).join("\n")}\n`;
}

function groups(runs: readonly LiveRun[], keyOf: (run: LiveRun) => string): readonly (readonly LiveRun[])[] {
  return [...Map.groupBy(runs, keyOf).values()];
}

function cells(runs: readonly LiveRun[]): Cells {
  const [first] = runs;
  const cited = runs.filter(({ citations }) => citations !== undefined);
  const sum = (of: (run: LiveRun) => number): string =>
    Math.round(runs.reduce((total, run) => total + of(run), 0)).toLocaleString("en-US");
  return {
    task: first?.task ?? "",
    policy: first?.policy ?? "",
    solved: `${runs.filter(({ solved }) => solved).length}/${runs.length}`,
    quotes: cited.length === 0 ? "-" : `${cited.filter(({ citations }) => citations?.ok).length}/${cited.length}`,
    end: [...new Set(runs.map(({ end }) => end))].join(" "),
    requests: sum(({ requests }) => requests),
    input: sum(({ tokens }) => tokens.input),
    read: sum(({ tokens }) => tokens.cacheRead),
    write: sum(({ tokens }) => tokens.cacheWrite),
    output: sum(({ tokens }) => tokens.output),
    billed: sum(({ billed }) => billed),
    seconds: sum(({ seconds }) => seconds),
  };
}
