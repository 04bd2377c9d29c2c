// @module-tag process
// @module-tag long
// Verifies: F5, SSOT 2.8, 7.4: this store answers as the memory store does, errors included.
import { compareWithMemory } from "@cm/testkit";
import { expect, it } from "vitest";
import { withPostgres } from "./support/on-postgres.ts";
import { campaign, runSeed } from "./support/random.ts";

const title = "answers as the memory store does";
/** Some two seconds, and 10^5 calls in a campaign. */
const calls = 300;
const runs = campaign ? 340 : 3;

withPostgres("the Postgres store beside the memory store", ({ factory }) => {
  it(title, async () => {
    const { seed, replay } = runSeed(title);

    for (let run = 0; run < runs; run += 1) {
      try {
        await compareWithMemory({ open: factory, seed: seed + run, calls });
      } catch (error) {
        console.error(`run ${run} differs; repeat with: ${replay.replace(`=${seed}`, `=${seed + run}`)}`);
        throw error;
      }
    }

    expect(runs * calls).toBeGreaterThanOrEqual(campaign ? 100_000 : 900);
  });
});
