// @module-tag process
// @module-tag long
// Verifies: decision 113: one running agent run for each conversation, across processes that may be killed.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "@cm/store-sqlite";
import { createRandom } from "@cm/testkit";
import { expect, it } from "vitest";
import { createFileStateStore, type Lineage, lineageTypes, openLineage } from "../src/index.ts";
import { raceAndKill } from "./support/race.ts";
import { Runner, type RunnerPlace } from "./support/runner-process.ts";
import { committed } from "./support/world.ts";

const campaign = process.env.CM_CAMPAIGN === "1";

/** A folder with a conversation in it, and this process as another one that looks at it. */
async function inFolder(work: (place: RunnerPlace, open: (owner: string) => Promise<Lineage>) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), "cm-lineage-"));
  const path = join(folder, "store.db");
  const dataDir = join(folder, "states");
  const store = openSqliteStore({ path, types: lineageTypes });
  const open = (owner: string) => openLineage({ store, states: createFileStateStore({ dataDir }), owner });
  try {
    const lineage = await open("test");
    const { session_id } = await lineage.root({ input: "Hello" });
    await lineage.commit(session_id, committed());
    await work({ path, dataDir, conversationId: session_id }, open);
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
}

it("of 52 starts in four processes exactly one wins; after a kill the conversation is free again", () =>
  inFolder((place, open) => raceAndKill(place, open, { processes: 4, startsEach: 13 })));

it("a kill at any moment loses no committed run, leaves none running, and the conversation goes on", () =>
  inFolder(async (place, open) => {
    const { conversationId } = place;
    const random = createRandom(Number(process.env.CM_SEED ?? (campaign ? Date.now() % 2 ** 31 : 1)));
    for (let kill = 0; kill < (campaign ? 50 : 3); kill += 1) {
      const runner = new Runner("work", "worker", place);
      const said: (Readonly<Record<string, unknown>> | undefined)[] = [];
      const enough = 1 + random.below(12);
      while (said.length < enough) said.push(await runner.said());
      // A process that is busy meanwhile makes the moment another one each time.
      for (let turns = random.below(20_000); turns > 0; turns -= 1) random.fraction();
      said.push(...(await runner.kill()));

      const lineage = await open("worker");
      const failed = await lineage.recover();

      expect(failed.length).toBeLessThanOrEqual(2);
      expect((await lineage.runs({ status: "created" })).runs).toEqual([]);
      expect((await lineage.conversation(conversationId)).running).toBeNull();
      for (const id of said.flatMap((one) => (one?.committed as string | undefined) ?? [])) {
        expect((await lineage.run(id)).status).toBe("committed");
        expect(await lineage.state(id)).toHaveProperty("context_state");
      }
      for (const id of failed) await expect(lineage.state(id)).rejects.toThrow("no committed run");
      const next = await lineage.continue({ conversationId, input: "go on" });
      await lineage.commit(next.session_id, committed());
    }
  }));
