// @module-tag xtdb
// Verifies: SSOT 3.11, F15, T11: sessions travel between stores of every kind.
import { createMemoryStore } from "@cm/object-model";
import { openSqliteStore } from "@cm/store-sqlite";
import { forSeeds } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { importBundle } from "../src/index.ts";
import { bundleOf, opening } from "./support/bytes.ts";
import { withNode } from "./support/live-node.ts";
import { playSession } from "./support/random-session.ts";
import { attempt } from "./support/refusal.ts";
import { sample } from "./support/sample.ts";
import { openOn } from "./support/stage.ts";
import { told } from "./support/told.ts";

const file = "test/xtdb.test.ts";

withNode("with an XTDB database", (openStore) => {
  describe("a random session", () => {
    it("is there what it was in a file, goes on, and is in a file what it was there", async () => {
      await forSeeds({ short: 2, long: 60, file }, async (random) => {
        const [from, there, back] = [openSqliteStore({ path: ":memory:" }), openStore(), createMemoryStore()];
        const { session, files, layout } = await playSession(from, random, 3);

        await importBundle(there, opening(await bundleOf(from, session)));
        expect(await told(there, session)).toEqual(await told(from, session));

        const open = await openOn({ store: there, files, layout }, session);
        await open.assemble();
        await open.record({ answer: { role: "assistant", text: "on" } });
        await open.close();
        const bytes = await bundleOf(there, session, { gzip: true });
        await importBundle(back, opening(bytes));
        expect(await told(back, session)).toEqual(await told(there, session));
        expect(await importBundle(from, opening(bytes))).toMatchObject({ outcome: "extended" });
        expect(await told(from, session)).toEqual(await told(there, session));
      });
    });
  });

  it("takes nothing of a bundle that is refused, and a good one twice as once", async () => {
    const { bytes, session } = await sample();
    const store = openStore();

    const { said } = await attempt(store, opening(bytes.subarray(0, -100)));
    expect([said, (await store.find({ session })).versions]).toEqual(["bundle/truncated", []]);

    const first = await importBundle(store, opening(bytes));
    const second = await importBundle(store, opening(bytes));
    expect([first.outcome, second.outcome, second.written]).toEqual(["imported", "unchanged", 0]);
  });
});
