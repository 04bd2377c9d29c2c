// Verifies: totals, means, the worst session and intervals of families of agents, recounted from the runs alone.

import { familySummaries, type RunResult } from "@cm/replay";
import { describe, expect, it } from "vitest";
import { syntheticRuns } from "../report/support/synthetic-runs.ts";

interface Options {
  readonly met?: number;
  readonly missedFiles?: number;
  readonly plain?: number;
}

/** `billed` of 1,000, with so many of 10 needed texts in view. */
function session(file: string, billed: number, options: Options = {}): RunResult {
  const { met = 10, missedFiles = 10 - met, plain = 1_000 } = options;
  const [run] = syntheticRuns({ calls: 2, file, policies: ["log"] });
  if (run === undefined) throw new Error("no run");
  const bill = { billed, plainBilled: plain, billedShare: billed / plain, faultedShare: billed / plain + 0.01 };
  const edits = { needed: 10, neededMet: met, missedFiles, union: 10, unionMet: met };
  return { ...run, totals: { ...run.totals, ...bill, ...edits, copied: 0, copiedMet: 0 } };
}

describe("summaries of families", () => {
  it("have the total, which a long session rules, beside the mean and the worst, apart and for all", () => {
    const runs = [
      session("cc-1.jsonl", 900),
      session("cc-2.jsonl", 4_000, { plain: 10_000 }),
      session("pi-1.jsonl", 1_010),
    ];

    const [claude, pi, all, ...rest] = familySummaries(runs);

    expect(rest).toEqual([]);
    expect([claude?.family, pi?.family, all?.family]).toEqual(["claude-code", "pi", undefined]);
    expect(claude?.total.billed).toBeCloseTo(4_900 / 11_000, 12);
    expect(claude?.mean.billed).toBeCloseTo(0.65, 12);
    expect(claude?.worst).toEqual({ share: 0.9, file: "cc-1.jsonl" });
    expect(all).toMatchObject({ sessions: 3, worst: { share: 1.01, file: "pi-1.jsonl" } });
    expect(all?.total.faulted).toBeCloseTo((4_900 + 1_010) / 12_000 + 0.01, 12);
  });

  it("have missed texts with the files and sessions that they are of", () => {
    const runs = [
      session("pi-1.jsonl", 900, { met: 1, missedFiles: 1 }),
      session("pi-2.jsonl", 900),
      session("pi-3.jsonl", 900, { met: 8 }),
    ];

    expect(familySummaries(runs)[0]).toMatchObject({ missed: { texts: 11, files: 3, sessions: 2 } });
    expect(familySummaries(runs)[0]?.total.needed).toBeCloseTo(19 / 30, 12);
  });

  it("have the session and call where cutting off would have been dearest", () => {
    const cut = (run: RunResult, cutOffShare: number, cutOffCalls: number) => ({
      ...run,
      totals: { ...run.totals, cutOffShare, cutOffCalls },
    });

    const runs = [
      cut(session("pi-1.jsonl", 500), 0.9, 25),
      session("pi-2.jsonl", 900),
      cut(session("pi-3.jsonl", 600), 1.02, 40),
    ];

    expect(familySummaries(runs)[0]?.cutOff).toEqual({ share: 1.02, calls: 40, file: "pi-3.jsonl" });
    expect(familySummaries([session("pi-2.jsonl", 900)])[0]).not.toHaveProperty("cutOff");
  });

  it("leave out what there was none of, and what one of the sessions was counted without", () => {
    const one = session("pi-1.jsonl", 500);
    const { union, unionMet, missedFiles, ...before } = one.totals;

    const [summary] = familySummaries([one, { ...one, file: "pi-2.jsonl", totals: before }]);

    expect(summary?.total).not.toHaveProperty("copied");
    expect(summary?.total).not.toHaveProperty("union");
    expect(summary?.missed).not.toHaveProperty("files");
    expect(summary?.total.needed).toBe(1);
  });
});

describe("the interval of a figure", () => {
  const shares = [0.5, 0.6, 0.65, 0.7, 0.72, 0.8, 0.9, 1];
  const runs = shares.map((share, at) => session(`pi-${at}.jsonl`, 1_000 * share));

  it("is what the spread of the sessions makes of it, to the width of chance, and the same each time", () => {
    const [summary] = familySummaries(runs);
    const [low = 0, high = 0] = summary?.intervals?.mean.billed ?? [];

    // The mean of n draws has about the normal distribution, with the sessions' own spread divided by the root of n.
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    const spread = Math.sqrt(shares.reduce((sum, share) => sum + (share - mean) ** 2, 0)) / shares.length;
    expect(Math.abs(low - (mean - 1.645 * spread))).toBeLessThan(0.015);
    expect(Math.abs(high - (mean + 1.645 * spread))).toBeLessThan(0.015);
    expect(familySummaries(runs)).toEqual(familySummaries(runs));
  });

  it("is one number where all sessions are alike, and nothing for one session", () => {
    const alike = shares.map((_share, at) => session(`pi-${at}.jsonl`, 700));

    expect(familySummaries(alike)[0]?.intervals?.total).toMatchObject({ billed: [0.7, 0.7], needed: [1, 1] });
    expect(familySummaries(runs.slice(0, 1))[0]).not.toHaveProperty("intervals");
  });
});
