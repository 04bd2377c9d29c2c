// @module-tag long
// Verifies: SSOT 3.11, F13, F15, T11: a session on another machine is the session that it was.
import { createMemoryStore } from "@cm/object-model";
import { openSqliteStore } from "@cm/store-sqlite";
import { forSeeds } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { importBundle, verifyBundle } from "../src/index.ts";
import { bundleOf, opening } from "./support/bytes.ts";
import { playSession } from "./support/random-session.ts";
import { openOn } from "./support/stage.ts";
import { told } from "./support/told.ts";

const file = "test/round-trip.test.ts";
const stores = {
  memory: () => createMemoryStore(),
  sqlite: () => openSqliteStore({ path: ":memory:" }),
};
const kinds = ["memory", "sqlite"] as const;

describe("a random session", () => {
  it("is in another store what it was, prompts, sets and chat, and goes on there", async () => {
    await forSeeds({ short: 20, long: 2_000, file }, async (random) => {
      const [from, to] = [stores[random.pick(kinds)](), stores[random.pick(kinds)]()];
      const { session, files, layout } = await playSession(from, random);

      const bytes = await bundleOf(from, session, { gzip: random.chance(0.3) });
      const receipt = await importBundle(to, opening(bytes));

      expect(receipt.outcome).toBe("imported");
      expect(await told(to, session)).toEqual(await told(from, session));
      const [here, there] = [
        await openOn({ store: from, files, layout }, session),
        await openOn({ store: to, files: files.mountedAt("/"), layout }, session),
      ];
      expect(there.wrapper()).toEqual(here.wrapper());
      expect(there.chat()).toEqual(here.chat());
      const prompts = [await here.assemble(), await there.assemble()];
      expect(prompts[1]).toEqual(prompts[0]);
      await there.record({ answer: { role: "assistant", text: "on" } });
      expect(await importBundle(to, opening(bytes))).toMatchObject({ outcome: "unchanged", written: 0 });
      await from.close?.();
      await to.close?.();
    });
  });

  it("gives the same bundle from where it was imported", async () => {
    await forSeeds({ short: 10, long: 1_000, file }, async (random) => {
      const [from, to] = [createMemoryStore(), createMemoryStore()];
      const { session } = await playSession(from, random);
      const bytes = await bundleOf(from, session);

      await importBundle(to, opening(bytes));
      const again = await bundleOf(to, session);

      const [first, second] = [await verifyBundle(opening(bytes)), await verifyBundle(opening(again))];
      expect(second.counts).toEqual(first.counts);
    });
  });
});
