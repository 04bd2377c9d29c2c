// @module-tag long
// Verifies: SSOT 6 (ablations): every idea that can be left out can be left out of a replay.
import { describe, expect, it } from "vitest";
import { ablated } from "../../src/policies/ablations.ts";
import { policyGroups } from "../../src/policies/named-policies.ts";
import { folds, replayed } from "./support/replayed.ts";

describe("ablations", () => {
  it("are the default, and the default without each idea of the context log", () => {
    const names = [...(policyGroups.ablations ?? [])].sort();

    expect(names).toEqual(["default", ...Object.keys(ablated).map((idea) => `no-${idea}`)].sort());
  });

  it("leave the idea out: without rent, folds come at every 11th call", async () => {
    const run = await replayed("no-rent");

    const calls = folds(run).map((request) => run.requests.indexOf(request));
    expect(calls.length).toBeGreaterThan(1);
    expect(calls.filter((call) => (call - (calls[0] ?? 0)) % 11 !== 0)).toEqual([]);
  });

  it("change what is sent: without names, references are shorter", async () => {
    const log = await replayed("default");

    const { totals } = await replayed("no-names");

    expect(totals.billed).toBeLessThan(log.totals.billed);
  });
});
