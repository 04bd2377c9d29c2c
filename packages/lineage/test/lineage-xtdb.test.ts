// @module-tag process
// @module-tag xtdb
// @module-tag long
// Verifies: seed conversation-and-session, reference lineage; on a live node.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { forSeeds } from "@cm/testkit";
import { it } from "vitest";
import { createFileStateStore } from "../src/index.ts";
import { conversationOf } from "./support/lineage-laws.ts";
import { raceAndKill } from "./support/race.ts";
import { compareWithModel } from "./support/random-lineage.ts";
import { lineageSuite } from "./support/suite.ts";
import { onXtdb, whereOf } from "./support/xtdb-stores.ts";

lineageSuite("lineage on XTDB", onXtdb);

onXtdb("several processes on XTDB", (use) => {
  it("answer random operations as the model does", () =>
    forSeeds({ short: 1, long: 20, file: "packages/lineage/test/lineage-xtdb.test.ts" }, (random) =>
      use((world) => compareWithModel(world, random, 120)),
    ));

  it("of 50 starts in two processes exactly one wins; after a kill the conversation is free again", () =>
    use(async (world) => {
      const dataDir = await mkdtemp(join(tmpdir(), "cm-lineage-"));
      const now = Date.now;
      const states = createFileStateStore({ dataDir });
      try {
        const conversationId = await conversationOf(await world.open({ owner: "test", now, states }));
        const place = { path: whereOf(world.store), dataDir, conversationId };
        await raceAndKill(place, (owner) => world.open({ owner, now, states }), { processes: 2, startsEach: 25 });
      } finally {
        await rm(dataDir, { recursive: true, force: true });
      }
    }));
});
