// @module-tag xtdb
// @module-tag long
// Verifies: object-store/1, on a live node.
import { compareWithModel, objectStoreSuite } from "@cm/testkit";
import { it } from "vitest";
import { withNode } from "./support/live-node.ts";
import { campaign, runSeed } from "./support/random.ts";

/** As many writes and ids as one call takes, on a node that is started for quick starts: half of the time of all cases. */
const long = ["OS-120", "OS-121"];

withNode(
  "the XTDB store fulfils object-store/1",
  (node) => {
    for (const { id, clause, title, run } of objectStoreSuite.cases) {
      if (long.includes(id) && !campaign) continue;
      it(`${id} (${clause}) ${title}`, () => run(async (setting) => node.open(setting), { timeoutMs: 590_000 }));
    }

    it("answers as the model", async () => {
      const commands = Number(process.env.CM_COMMANDS ?? (campaign ? 3_000 : 50));
      const { seed } = runSeed("answers as the model");
      await compareWithModel({ open: async (setting) => node.open(setting), seed, commands });
    });
  },
  campaign ? { heapMiB: 1_024 } : undefined,
);
