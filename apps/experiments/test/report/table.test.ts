import { stripVTControlCharacters } from "node:util";
import type { RunResult } from "@cm/replay";
import { describe, expect, it } from "vitest";
import { resultTable } from "../../src/report/table.ts";
import { hostile } from "./support/hostile-runs.ts";
import { syntheticRuns } from "./support/synthetic-runs.ts";

const runs = [...syntheticRuns(), ...syntheticRuns({ calls: 61, file: "cc-00-c9e2351016-2.jsonl" })].map(counted);
const linesOf = (table: string): string[] => table.trimEnd().split("\n");

/** With the figures that a run made by an earlier version lacks. */
function counted(run: RunResult): RunResult {
  const { billedShare, needed } = run.totals;
  const names = {
    cited: 400,
    citedMet: run.policy === "plain" ? 400 : 399,
    citedInLine: run.policy === "plain" ? 400 : 380,
    ...{ union: 185, unionMet: run.policy === "plain" ? 185 : 183, missedFiles: run.policy === "plain" ? 0 : 1 },
    ...{ copied: 500, copiedMet: run.policy === "plain" ? 500 : 480, cutOffShare: billedShare + 0.02, cutOffCalls: 25 },
  };
  return { ...run, totals: { ...run.totals, ...names, faultedShare: billedShare + 1 / needed } };
}

describe("the table", () => {
  it("has a row per session and policy, and for each family and all the total, mean and worst of a policy", () => {
    expect(`\n${resultTable(runs, { color: false, width: 130 })}`).toMatchInlineSnapshot(`
      "
      file                      policy  calls  billed  faulted  cut off   sent     peak   needed  missed  union  cited  in line  copied
      ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
      pi-large-session.jsonl    plain     450   100.0    100.5    102.0  100.0  971,588  185/185       0  100.0  100.0    100.0   100.0
      pi-large-session.jsonl    ssot      450   595.0    595.5    597.0   52.9  494,274  184/185  1 in 1   98.9   99.8     95.0    96.0
      pi-large-session.jsonl    log       450    55.6     56.2     57.6   49.0  458,202  184/185  1 in 1   98.9   99.8     95.0    96.0
      cc-00-c9e2351016-2.jsonl  plain      61   100.0    100.5    102.0  100.0  152,297  185/185       0  100.0  100.0    100.0   100.0
      cc-00-c9e2351016-2.jsonl  ssot       61   632.2    632.8    634.2   85.8  105,067  184/185  1 in 1   98.9   99.8     95.0    96.0
      cc-00-c9e2351016-2.jsonl  log        61    91.0     91.5     93.0   85.5  127,690  184/185  1 in 1   98.9   99.8     95.0    96.0
      Per cent of an unmanaged prompt: billed, faulted, cut off, sent; peak in characters.
      Needed: edits whose old text was in view; missed: the others, in so many files.
      Union to copied: other text that calls used, per cent in view; see the report.

      policy   total   mean  worst  cut off  faulted  needed  missed  union  cited  in line  copied
      ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
      Pi, 1 session
        plain  100.0  100.0  100.0    102.0    100.5   100.0       0  100.0  100.0    100.0   100.0
        ssot   595.0  595.0  595.0    597.0    595.5    99.5  1 in 1   98.9   99.8     95.0    96.0
        log     55.6   55.6   55.6     57.6     56.2    99.5  1 in 1   98.9   99.8     95.0    96.0
      Claude Code, 1 session
        plain  100.0  100.0  100.0    102.0    100.5   100.0       0  100.0  100.0    100.0   100.0
        ssot   632.2  632.2  632.2    634.2    632.8    99.5  1 in 1   98.9   99.8     95.0    96.0
        log     91.0   91.0   91.0     93.0     91.5    99.5  1 in 1   98.9   99.8     95.0    96.0
      all, 2 sessions
        plain  100.0  100.0  100.0    102.0    100.5   100.0       0  100.0  100.0    100.0   100.0
        ssot   596.0  613.6  632.2    634.2    596.5    99.5  2 in 2   98.9   99.8     95.0    96.0
        log     56.6   73.3   91.0     93.0     57.2    99.5  2 in 2   98.9   99.8     95.0    96.0
      Per cent. Billed: in total, mean of sessions, worst session; cut off: worst after any
      call from the 25th on. Missed: needed texts out of view, in so many files.
      "
    `);
  });

  it("has no totals for one session", () => {
    expect(resultTable(syntheticRuns({ calls: 61 }), { color: false })).not.toMatch(/total|mean/);
  });

  it("tells sessions apart whose files have the same name", () => {
    const [run] = syntheticRuns({ calls: 10 });
    if (run === undefined) throw new Error("no run");

    expect(resultTable([run, { ...run, recording: "another" }], { color: false })).toContain("total");
  });

  it.each([
    [140, "a-very-long-n…-agent.jsonl", "sent"],
    [100, "a-very-lon…ent.jsonl", "faulted"],
    [80, "a-very-l…nt.jsonl", "calls"],
  ])("fits %i columns: names lose their middle, then figures that matter less go", (width, shortened, kept) => {
    const file = `a-very-long-name-of-a-session-${"x".repeat(100)}-of-a-recorded-agent.jsonl`;

    const table = resultTable(syntheticRuns({ file }), { color: false, width });

    expect(Math.max(...linesOf(table).map((line) => line.length))).toBe(width);
    expect(table).toContain(`\n${shortened}  plain`);
    expect(linesOf(table)[0]).toMatch(new RegExp(`${kept}.*needed.*union +cited +in line +copied`));
    expect(table).toMatch(/\nPer cent of an unmanaged prompt: billed.*\nNeeded: .*\nUnion to copied: .*\n$/);
  });

  it.each([100, 80])("has what families are billed in %i columns, with the five measures", (width) => {
    const lines = linesOf(resultTable(runs, { color: false, width }));

    const families = lines.slice(lines.indexOf("") + 1);
    expect(Math.max(...families.map((line) => line.length))).toBeLessThanOrEqual(width);
    expect(families[0]).toMatch(/^policy +total +mean +worst.* needed +missed +union +cited +in line +copied$/);
    expect(families.filter((line) => /^[A-Za-z].*session/.test(line)).slice(0, 3)).toEqual([
      "Pi, 1 session",
      "Claude Code, 1 session",
      "all, 2 sessions",
    ]);
  });

  it("names the prices where there are several, and sums for each of them", () => {
    const priced = ["anthropic5m", "none"].flatMap((pricing) => runs.map((run) => ({ ...run, pricing })));

    const table = resultTable(priced, { color: false });

    expect(linesOf(table)[0]).toMatch(/^file +policy +prices +calls/);
    expect(linesOf(table).filter((line) => /^ {2}log +(anthropic5m|none) /.test(line))).toHaveLength(6);
  });

  it("has the same text in colour, with totals in bold", () => {
    const table = resultTable(runs, { color: true });

    expect(stripVTControlCharacters(table)).toBe(resultTable(runs, { color: false }));
    expect(table).toContain("\u001b[1mall, 2 sessions");
  });

  it("shows what a hostile name would do, and keeps it in its line", () => {
    const hostileRows = syntheticRuns({ calls: 10, file: `\u202e\n${hostile}` }).map((run) => ({
      ...run,
      policy: "\u001b[2J",
    }));

    const table = resultTable(hostileRows, { color: false, width: 160 });

    const [headLines, legendLines] = [2, 3];
    expect(linesOf(table)).toHaveLength(headLines + hostileRows.length + legendLines);
    expect(table).not.toMatch(/[^\P{C}\n]/u);
    expect(table).toContain("\\u{202e}\\u{a}");
    expect(table).toContain("\\u{1b}[2J");
  });

  it("has a dash where nothing can be divided", () => {
    const [run] = syntheticRuns({ calls: 1 });
    if (run === undefined) throw new Error("no run");
    const empty = { ...run, calls: [], totals: { ...run.totals, billedShare: Number.NaN, needed: 0, neededMet: 0 } };

    expect(resultTable([empty], { color: false })).toMatch(/plain +0 +– .* 0\/0/);
  });
});
