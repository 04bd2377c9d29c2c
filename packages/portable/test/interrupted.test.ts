// Verifies: SSOT 3.11, F1, F2, T11: an import that ends in the middle leaves no session, and is completed by repeating it.
import { CmError, createMemoryStore, type ObjectStore, sessionObjectId } from "@cm/object-model";
import { beforeAll, describe, expect, it } from "vitest";
import { importBundle } from "../src/index.ts";
import { opening } from "./support/bytes.ts";
import { everythingIn } from "./support/everything.ts";
import { type Sample, sample } from "./support/sample.ts";
import { told } from "./support/told.ts";

/** Fails at one commit: before it is made, or after, so that its answer is lost. */
function failingAt(store: ObjectStore, place: number, when: "before" | "after"): ObjectStore {
  let commits = 0;
  return {
    contract: "object-store/1",
    getMany: (ids, asOf) => store.getMany(ids, asOf),
    history: (id, page) => store.history(id, page),
    find: (filter, page) => store.find(filter, page),
    erase: (ids, reason) => store.erase(ids, reason),
    async commit(writes, options) {
      commits += 1;
      if (commits === place && when === "before") throw new CmError("store/unavailable", "The process was killed.");
      const receipt = await store.commit(writes, options);
      if (commits === place && when === "after") throw new CmError("store/unknown-outcome", "The answer was lost.");
      return receipt;
    },
  };
}

describe("an import that is interrupted", () => {
  let made: Sample;
  let commits = 0;
  let whole: ReadonlyMap<string, readonly string[]>;
  beforeAll(async () => {
    made = await sample();
    const store = createMemoryStore();
    ({ commits } = await importBundle(store, opening(made.bytes)));
    whole = await everythingIn(store, made.session);
  });

  it("shows no session, whichever commit was the last, and is completed by the same call", async () => {
    expect(commits).toBeGreaterThan(3);
    for (let place = 1; place <= commits; place += 1) {
      const store = createMemoryStore();

      const failed = importBundle(failingAt(store, place, "before"), opening(made.bytes));
      await expect(failed).rejects.toMatchObject({ code: "store/unavailable" });
      const heads = await store.getMany([sessionObjectId(made.session)]);
      const { outcome } = await importBundle(store, opening(made.bytes));

      expect([heads.size, outcome]).toEqual([0, "imported"]);
      expect(await told(store, made.session)).toEqual(await told(made.store, made.session));
      expect(await everythingIn(store, made.session)).toEqual(whole);
    }
  });

  it("sends a commit again whose answer was lost, and writes it once", async () => {
    for (let place = 1; place <= commits; place += 1) {
      const store = createMemoryStore();

      const { outcome } = await importBundle(failingAt(store, place, "after"), opening(made.bytes));

      expect(outcome).toBe("imported");
      expect(await everythingIn(store, made.session)).toEqual(whole);
    }
  });
});
