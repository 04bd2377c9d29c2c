// Verifies: SSOT 4.4 (6)
import { defaultPrices } from "@cm/context-log";
import { describe, expect, it } from "vitest";
import { contextLogConstants } from "../../src/policies/context-log/constants.ts";
import { staysCheap } from "../../src/policies/context-log/fold.ts";
import { viewOf } from "../support/views.ts";

/** Some requests were made, the plain log is 10,000 characters long and 1,000 are new. */
const view = (billed: number, { requests = 10, cache = "warm" as "warm" | "cold" } = {}): ReturnType<typeof viewOf> =>
  viewOf({ step: 10, cache, ledger: { requests, billed, plainBilled: 20_000, plainChars: 10_000, headChars: 0 } });

const guard = { prices: defaultPrices, constants: contextLogConstants() };

// Plain: 1,000 read + 1,250 written, and eight calls that carry 1,100 each: 1.02 x 31,050 = 31,671.
const plainChars = 11_000;

describe("the guard", () => {
  it.each([
    ["lets a fold pass that stays under the bound", 20_500, { kept: 1_000, total: 6_000 }, true],
    ["counts the rewrite", 20_500, { kept: 500, total: 6_000 }, false],
    ["counts what was billed", 28_900, { kept: 1_000, total: 2_000 }, false],
    ["counts eight calls' carrying", 20_200, { kept: 11_000, total: 12_000 }, false],
  ])("%s", (_, billed, managed, expected) => {
    expect(staysCheap(view(billed), guard, { plainChars, managed })).toBe(expected);
  });

  // It costs 5,725 now, and 22,695 is the bound without a loan: 16,970 may have been billed. Each call that is lent adds 572.
  it.each([
    ["at the eighth request lends nothing", 7, 17_000, false],
    ["at the ninth lends eight calls", 8, 21_300, true],
    ["at the ninth lends no more than eight calls", 8, 21_700, false],
    ["at the 17th lends eight calls, which end with the 25th request", 16, 21_300, true],
    ["at the 18th lends seven", 17, 21_300, false],
    ["at the 18th lends seven and no less", 17, 20_700, true],
    ["at the 24th lends one", 23, 17_500, true],
    ["at the 25th lends nothing", 24, 17_500, false],
    ["and later never again", 400, 17_500, false],
  ])("%s", (_, requests, billed, expected) => {
    const managed = { kept: 1_000, total: 5_500 };

    expect(staysCheap(view(billed, { requests }), guard, { plainChars, managed })).toBe(expected);
  });

  it("knows that a cold cache makes both pay in full", () => {
    const managed = { kept: 1_000, total: 6_000 };

    expect(staysCheap(view(20_000, { cache: "cold" }), guard, { plainChars, managed })).toBe(true);
  });
});
