// @module-tag xtdb
// @module-tag long
// Verifies: F5, SSOT 2.8, 7.4: this store answers as the memory store does, errors included.
import { compareWithMemory, type StoreFactory } from "@cm/testkit";
import { expect, it } from "vitest";
import { withNode } from "./support/live-node.ts";
import { campaign, runSeed } from "./support/random.ts";

const title = "answers as the memory store does";
/** Some seconds of a node, and 5 x 10^4 calls in a campaign. */
const calls = 250;
const runs = campaign ? 200 : 2;

withNode("the XTDB store beside the memory store", (node) => {
  const open: StoreFactory = async (setting) => node.open(setting);

  it(title, async () => {
    const { seed, replay } = runSeed(title);

    for (let run = 0; run < runs; run += 1) {
      try {
        await compareWithMemory({ open, seed: seed + run, calls, shared: true });
      } catch (error) {
        console.error(`run ${run} differs; repeat with: ${replay.replace(`=${seed}`, `=${seed + run}`)}`);
        throw error;
      }
    }

    expect(runs * calls).toBeGreaterThanOrEqual(campaign ? 50_000 : 500);
  });
});
