import type { RunResult } from "@cm/replay";
import { describe, expect, it } from "vitest";
import { cutsOf, paidBackAfter } from "../../src/report/cuts.ts";
import { syntheticRuns } from "./support/synthetic-runs.ts";

/** Three calls, the second of which folds: 1,000 characters were sent before, 400 of them stay in front of the cut. */
function foldingRun(change: { readonly cold?: true; readonly savedChars?: number } = { savedChars: 300 }): RunResult {
  const [run] = syntheticRuns({ calls: 12, policies: ["log"] });
  if (run === undefined) throw new Error("no run");
  const { savedChars, ...others } = change;
  return {
    ...run,
    calls: run.calls.map((call, at) => {
      if (at !== 1) return { ...call, sentChars: 1_000, cachedChars: 900 };
      const fold = { cut: 3, reason: "rent", parts: 2, ...(savedChars === undefined ? {} : { savedChars }) };
      return { ...call, sentChars: 800, cachedChars: 400, fold, ...others };
    }),
  };
}

describe("the price of a cut", () => {
  it("is what rewriting the kept text behind it costs more than reading it from the cache", () => {
    const [cut] = cutsOf(foldingRun());

    expect(cut?.price).toBeCloseTo(300 * (1.25 - 0.1), 9);
    expect(cut?.rent).toBeCloseTo(300 * 0.1, 9);
    expect(cut?.callsLeft).toBe(10);
    expect(cut && paidBackAfter(cut)).toBe(12);
  });

  it("is nothing where the cache is cold anyway", () => {
    const [cut] = cutsOf(foldingRun({ cold: true, savedChars: 300 }));

    expect(cut?.price).toBe(0);
    expect(cut && paidBackAfter(cut)).toBe(0);
  });

  it("is unknown without a count of its savings", () => {
    const [cut] = cutsOf(foldingRun({}));

    expect([cut?.price, cut?.rent]).toEqual([undefined, undefined]);
    expect(cut && paidBackAfter(cut)).toBeUndefined();
  });

  it("is known from the forms of the parts, too", () => {
    const forms = [
      { call: 0, form: "full", chars: 500 },
      { call: 1, form: "reference", chars: 200 },
    ];

    const [cut] = cutsOf({ ...foldingRun({}), parts: [{ key: "3", kind: "result", chars: 500, forms }] });

    expect(cut?.savedChars).toBe(300);
    expect(cut?.part?.key).toBe("3");
  });
});
