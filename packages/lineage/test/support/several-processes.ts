import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ObjectStore } from "@cm/object-model";
import { forSeeds } from "@cm/testkit";
import { it } from "vitest";
import { createFileStateStore } from "../../src/index.ts";
import { conversationOf } from "./lineage-laws.ts";
import { raceAndKill } from "./race.ts";
import { compareWithModel } from "./random-lineage.ts";
import type { OnStores } from "./stores.ts";

/** What holds where processes share a server. `whereOf`: the address of a store, for another process. */
export function severalProcesses(
  title: string,
  onStores: OnStores,
  { whereOf, file }: { readonly whereOf: (store: ObjectStore) => string; readonly file: string },
): void {
  onStores(title, (use) => {
    it("answer random operations as the model does", () =>
      forSeeds({ short: 1, long: 20, file }, (random) => use((world) => compareWithModel(world, random, 120))));

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
}
