// @module-tag long
// Verifies: SSOT 6 (evaluation plan), F14 (a past request is rebuilt with its own layout), pairs of calls and results.
import type { RenderedPrompt } from "@cm/context-log";
import { describe, expect, it } from "vitest";
import { namedPolicies, policyGroups, policyNames } from "../../src/policies/named-policies.ts";
import { replayed } from "./support/replayed.ts";

describe.each(policyGroups.all ?? [])("policy %s", (name) => {
  it("answers every call it shows, and every request can be rebuilt", async () => {
    const run = await replayed(name);

    expect(run.requests).toHaveLength(49);
    expect(run.rebuilt).toBe(49);
    for (const { prompt } of run.requests) expect(answered(prompt)).toEqual(called(prompt));
    expect(run.totals.billedShare).toBeGreaterThan(0.05);
    expect(run.totals.neededMet).toBeLessThanOrEqual(run.totals.needed);
  });
});

describe("policies by name", () => {
  it("are all in the group of all but for ablations and synonyms", () => {
    const left = policyNames.filter((name) => policyGroups.all?.includes(name) !== true);

    expect(left.filter((name) => !name.startsWith("no-"))).toEqual(["log", "store-only", "full"]);
  });

  it.each(policyNames)("%s says in a sentence what it does", (name) => {
    const { describe: sentence } = namedPolicies[name];

    expect(sentence).toMatch(/^[A-Z].{20,}\.$/);
  });
});

describe("the policies that store and send the plain log", () => {
  it("cost the same", async () => {
    const plain = await replayed("plain");

    const stored = await replayed("store-only");

    expect(stored.totals.billed).toBe(plain.totals.billed);
    expect(plain.totals.billedShare).toBe(1);
  });
});

const called = ({ messages }: RenderedPrompt): readonly string[] =>
  messages.flatMap(({ calls = [] }) => calls.map(({ callId }) => callId));

const answered = ({ messages }: RenderedPrompt): readonly string[] =>
  messages.flatMap(({ role, callId }) => (role === "tool" && callId !== undefined ? [callId] : []));
