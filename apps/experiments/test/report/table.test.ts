import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { resultTable } from "../../src/report/table.ts";
import type { RunResult } from "../../src/results/run-result.ts";
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
  };
  return { ...run, totals: { ...run.totals, ...names, faultedShare: billedShare + 1 / needed } };
}

describe("the table", () => {
  it("has a row per session and policy, and a total per policy", () => {
    expect(`\n${resultTable(runs, { color: false, width: 130 })}`).toMatchInlineSnapshot(`
      "
      file                      policy  calls  billed %  faulted %  sent %  cached %     peak   needed  cited %  in line %  seconds
      ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
      pi-large-session.jsonl    plain     450     100.0      100.5   100.0      99.6  971,588  185/185    100.0      100.0      5.0
      pi-large-session.jsonl    ssot      450     595.0      595.5    52.9       6.1  494,274  184/185     99.8       95.0      5.0
      pi-large-session.jsonl    log       450      55.6       56.2    49.0      98.3  458,202  184/185     99.8       95.0      5.0
      cc-00-c9e2351016-2.jsonl  plain      61     100.0      100.5   100.0      97.0  152,297  185/185    100.0      100.0      0.7
      cc-00-c9e2351016-2.jsonl  ssot       61     632.2      632.8    85.8      22.6  105,067  184/185     99.8       95.0      0.7
      cc-00-c9e2351016-2.jsonl  log        61      91.0       91.5    85.5      96.3  127,690  184/185     99.8       95.0      0.7
      ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
      total                     plain     511     100.0      100.5   100.0      99.5  971,588  370/370    100.0      100.0      5.7
      total                     ssot      511     596.0      596.5    53.6       6.7  494,274  368/370     99.8       95.0      5.7
      total                     log       511      56.6       57.2    49.8      98.3  458,202  368/370     99.8       95.0      5.7
      "
    `);
  });

  it("has no totals for one session", () => {
    expect(resultTable(syntheticRuns({ calls: 61 }), { color: false })).not.toContain("total");
  });

  it("tells sessions apart whose files have the same name", () => {
    const [run] = syntheticRuns({ calls: 10 });
    if (run === undefined) throw new Error("no run");

    expect(resultTable([run, { ...run, recording: "another" }], { color: false })).toContain("total");
  });

  it.each([
    [130, "a-very-long-na…ed-agent.jsonl", "sent"],
    [100, "a-very-lo…nt.jsonl", "peak"],
    [80, "a-very-…t.jsonl", "calls"],
  ])("fits %i columns: names lose their middle, then figures that matter less go", (width, shortened, kept) => {
    const file = `a-very-long-name-of-a-session-${"x".repeat(100)}-of-a-recorded-agent.jsonl`;

    const table = resultTable(syntheticRuns({ file }), { color: false, width });

    expect(Math.max(...linesOf(table).map((line) => line.length))).toBe(width);
    expect(table).toContain(`\n${shortened}  plain`);
    expect(linesOf(table)[0]).toMatch(new RegExp(`${kept}.*needed +cited % +in line %`));
  });

  it("names the prices where there are several, and sums for each of them", () => {
    const priced = ["anthropic5m", "none"].flatMap((pricing) => runs.map((run) => ({ ...run, pricing })));

    const table = resultTable(priced, { color: false });

    expect(linesOf(table)[0]).toMatch(/^file +policy +prices +calls/);
    expect(linesOf(table).filter((line) => /^total +log +(anthropic5m|none) /.test(line))).toHaveLength(2);
  });

  it("has the same text in colour, with totals in bold", () => {
    const table = resultTable(runs, { color: true });

    expect(stripVTControlCharacters(table)).toBe(resultTable(runs, { color: false }));
    expect(table).toContain("\u001b[1mtotal");
  });

  it("shows what a hostile name would do, and keeps it in its line", () => {
    const hostileRows = syntheticRuns({ calls: 10, file: `\u202e\n${hostile}` }).map((run) => ({
      ...run,
      policy: "\u001b[2J",
    }));

    const table = resultTable(hostileRows, { color: false, width: 160 });

    expect(linesOf(table)).toHaveLength(2 + hostileRows.length);
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
