// Verifies: reference "Policy bundle": the budget is checked before and booked after each call, and restored.
import { describe, expect, it } from "vitest";
import { affords, booked, tokenBudget, tokensLeft } from "../src/index.ts";

describe("a token budget", () => {
  it("is checked before a call, and takes all that the call cost", () => {
    const budget = tokenBudget(100);

    expect([affords(budget), affords(budget, 100), affords(budget, 101)]).toEqual([true, true, false]);
    const after = booked(budget, { input: 90, output: 30 });
    expect([after.used, tokensLeft(after), affords(after), affords(after, 0)]).toEqual([120, 0, false, false]);
    expect(budget.used).toBe(0);
  });

  it("is restored with what was used, and has no bound where there is none", () => {
    expect(affords(tokenBudget(100, 100))).toBe(false);
    expect(affords(tokenBudget(undefined, 1e9), 1e9)).toBe(true);
    expect(affords(tokenBudget(0))).toBe(false);
  });

  it("gives nothing back for counts that are none", () => {
    expect(booked(tokenBudget(10, 5), { input: -5, output: Number.NaN }).used).toBe(5);
    expect(affords(tokenBudget(10), Number.POSITIVE_INFINITY)).toBe(false);
  });
});
