// @module-tag long
// Verifies: SSOT 6.1: who knows the future is a line below the context log, and misses nothing.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultPrices } from "@cm/context-log";
import { createMemoryStore } from "@cm/object-model";
import type { Recording } from "@cm/recordings";
import { readRecording } from "@cm/recordings";
import { describe, expect, it } from "vitest";
import { generatedSession } from "../../src/generate/generated-session.ts";
import { namedPolicies, type PolicyName } from "../../src/policies/named-policies.ts";
import { layoutFor } from "../../src/policies/named-policy.ts";
import { replayRecording } from "../../src/replay-recording.ts";
import { replayed } from "./support/replayed.ts";

/** Three in the campaign. */
const seeds = process.env.CM_CAMPAIGN === "1" ? [1, 2, 3] : [1];

const knowing = ["clairvoyant", "clairvoyant-needs"] as const;

/** More than twice as many folds as the default makes, each of them cheaper than waiting: but no request after the other. */
const breaksPer100Max = 50;

async function generated(seed: number): Promise<Recording> {
  const folder = mkdtempSync(join(tmpdir(), "cm-clairvoyant-"));
  try {
    const file = join(folder, `generated-${seed}.jsonl`);
    writeFileSync(file, generatedSession({ seed, calls: 60 }));
    return await readRecording(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const known = new Map<number, Promise<number>>();

/** What the cheapest preset is billed on a generated session; replayed once for all policies. */
function cheapestPreset(seed: number): Promise<number> {
  const run = known.get(seed) ?? leastBilled(seed);
  known.set(seed, run);
  return run;
}

async function leastBilled(seed: number): Promise<number> {
  const recording = await generated(seed);
  const presets = (["careful", "default", "lean"] as const).map((preset) => totalsOf(recording, preset));
  return Math.min(...(await Promise.all(presets)).map(({ billed }) => billed));
}

async function totalsOf(recording: Recording, name: PolicyName) {
  const layout = layoutFor(namedPolicies[name], recording);
  const options = { store: createMemoryStore(), layout, session: name, prices: defaultPrices };
  return (await replayRecording(recording, options)).totals;
}

describe.each(knowing)("%s", (name) => {
  it("has every text in view that an edit needs, for less than the default costs", async () => {
    const log = await replayed("default");

    const { totals } = await replayed(name);

    expect(totals.neededMet).toBe(totals.needed);
    expect(totals.needed).toBe(7);
    expect(totals.billed).toBeLessThan(0.9 * log.totals.billed);
    expect(totals.breaksPer100).toBeLessThanOrEqual(breaksPer100Max);
  });

  it.each(seeds)("is billed less than every preset on generated session %i, and misses nothing", async (seed) => {
    const recording = await generated(seed);

    const totals = await totalsOf(recording, name);

    expect(totals.needed).toBeGreaterThan(10);
    expect(totals.neededMet).toBe(totals.needed);
    expect(totals.billed).toBeLessThan(await cheapestPreset(seed));
    expect(totals.breaksPer100).toBeLessThanOrEqual(breaksPer100Max);
  });
});

describe("clairvoyant", () => {
  it("keeps every name that a later call writes and only tools told, and costs no more than without that knowledge", async () => {
    const recording = await generated(4);

    const totals = await totalsOf(recording, "clairvoyant");

    expect(totals.cited).toBeGreaterThan(10);
    expect(totals.citedMet).toBe(totals.cited);
    expect(totals.billed).toBeLessThanOrEqual((await totalsOf(recording, "clairvoyant-needs")).billed);
  });

  it("keeps nothing that no later call needs", async () => {
    const { requests } = await replayed("clairvoyant");

    const long = requests.at(-1)?.prompt.messages.filter(({ text }) => text.length > 10_000) ?? [];

    expect(long).toEqual([]);
  });
});
