// @module-tag long
// Verifies: F5, SSOT 2.8, 7.4: this store answers as the memory store does, errors included.
import { compareWithMemory, type StoreFactory } from "@cm/testkit";
import { expect, it } from "vitest";
import { openSqliteStore } from "../src/index.ts";
import { campaign, runSeed } from "./support/random.ts";

const title = "answers as the memory store does";
/** 4,200 calls, and 10^6 in a campaign. */
const calls = 300;
const runs = campaign ? 3_400 : 7;

const open: StoreFactory = async (setting) => openSqliteStore({ ...setting, path: ":memory:" });

it(title, async () => {
  const { seed, replay } = runSeed(title);

  for (let run = 0; run < runs; run += 1) {
    try {
      await compareWithMemory({ open, seed: seed + run, calls });
    } catch (error) {
      console.error(`run ${run} differs; repeat with: ${replay.replace(`=${seed}`, `=${seed + run}`)}`);
      throw error;
    }
  }

  expect(runs * calls).toBeGreaterThanOrEqual(campaign ? 1_000_000 : 2_000);
});
