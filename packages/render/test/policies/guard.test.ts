// Verifies: SSOT 4.4 (6)
import { defaultPrices } from "@cm/context-log";
import { describe, expect, it } from "vitest";
import { contextLogConstants } from "../../src/policies/context-log/constants.ts";
import { staysCheap } from "../../src/policies/context-log/guard.ts";
import { viewOf } from "../support/views.ts";

/** Ten requests were made, the plain log is 10,000 characters long and 1,000 are new. */
const view = (billed: number, cache: "warm" | "cold" = "warm"): ReturnType<typeof viewOf> =>
  viewOf({ step: 10, cache, ledger: { requests: 10, billed, plainBilled: 20_000, plainChars: 10_000, headChars: 0 } });

const guard = { prices: defaultPrices, constants: contextLogConstants() };

// Plain: 1,000 read + 1,250 written, and four calls that carry 1,100 each: 1.02 x 26,650 = 27,183.
const plainChars = 11_000;

describe("the guard", () => {
  it.each([
    ["lets a fold pass that stays under the bound", 18_000, { kept: 1_000, total: 6_000 }, true],
    ["counts the rewrite", 20_000, { kept: 1_000, total: 6_000 }, false],
    ["counts what was billed", 26_000, { kept: 1_000, total: 2_000 }, false],
    ["counts four calls' carrying", 20_100, { kept: 11_000, total: 12_000 }, false],
  ])("%s", (_, billed, managed, expected) => {
    expect(staysCheap(view(billed), guard, { plainChars, managed })).toBe(expected);
  });

  it.each([
    ["at the eighth request lends nothing", 7, false],
    ["at the ninth lends", 8, true],
  ])("%s", (_, requests, expected) => {
    const ledger = { requests, billed: 19_000, plainBilled: 20_000, plainChars: 10_000, headChars: 0 };
    const managed = { kept: 1_000, total: 5_500 };

    expect(staysCheap(viewOf({ step: 10, ledger }), guard, { plainChars, managed })).toBe(expected);
  });

  it("knows that a cold cache makes both pay in full", () => {
    const managed = { kept: 1_000, total: 6_000 };

    expect(staysCheap(view(20_000, "cold"), guard, { plainChars, managed })).toBe(true);
  });
});
