// Verifies: F5, design 4 and 9: this store answers as the memory store does, errors included.
import { deepStrictEqual } from "node:assert/strict";
import { createMemoryStore } from "@cm/object-model";
import { expect, it } from "vitest";
import { openSqliteStore } from "../src/index.ts";
import { ComparedStore } from "./support/compared-store.ts";
import { testTypes } from "./support/documents.ts";
import { campaign, createRandom, runSeed } from "./support/random.ts";
import { randomCall } from "./support/random-calls.ts";

const title = "answers as the memory store does";
/** 10^5 commands, and 10^6 in a campaign. */
const commands = 300;
const runs = campaign ? 3_400 : 340;

it(title, { timeout: 3_600_000 }, async () => {
  const { seed, replay } = runSeed(title);

  for (let run = 0; run < runs; run += 1) {
    try {
      await compare(seed + run);
    } catch (error) {
      console.error(`run ${run} differs; repeat with: ${replay.replace(`=${seed}`, `=${seed + run}`)}`);
      throw error;
    }
  }

  expect(runs).toBeGreaterThan(0);
});

async function compare(seed: number): Promise<void> {
  const random = createRandom(seed);
  let time = 1_000;
  const setting = { types: testTypes, now: () => time };
  const memory = new ComparedStore(createMemoryStore(setting));
  const sqlite = new ComparedStore(openSqliteStore({ ...setting, path: ":memory:" }));
  for (let step = 0; step < commands; step += 1) {
    time += random.chance(0.1) ? -random.below(50) : random.below(20);
    const { name, call } = randomCall(random, time);

    const expected = await memory.answer(call);
    const actual = await sqlite.answer(call);

    deepStrictEqual(actual, expected, `step ${step}, ${name}`);
  }
  await sqlite.store.close?.();
}
