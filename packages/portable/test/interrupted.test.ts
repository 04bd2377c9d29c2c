// Verifies: SSOT 3.11, F1, F2, T11: an import that ends in the middle leaves no session, and is completed by repeating it.
import { createMemoryStore, sessionObjectId } from "@cm/object-model";
import { beforeAll, describe, expect, it } from "vitest";
import { importBundle } from "../src/index.ts";
import { opening } from "./support/bytes.ts";
import { everythingIn } from "./support/everything.ts";
import { failingAt } from "./support/failing-at.ts";
import { type Sample, sample } from "./support/sample.ts";
import { told } from "./support/told.ts";

/** What says when an import was made is the same in all of them. */
const options = { now: () => Date.UTC(2026, 0, 1) };

describe("an import that is interrupted", () => {
  let made: Sample;
  let commits = 0;
  let whole: ReadonlyMap<string, readonly string[]>;
  beforeAll(async () => {
    made = await sample();
    const store = createMemoryStore();
    ({ commits } = await importBundle(store, opening(made.bytes), options));
    whole = await everythingIn(store, made.session);
  });

  it("shows no session, whichever commit was the last, and is completed by the same call", async () => {
    expect(commits).toBeGreaterThan(3);
    for (let place = 1; place <= commits; place += 1) {
      const store = createMemoryStore();

      const failed = importBundle(failingAt(store, place, "before"), opening(made.bytes), options);
      await expect(failed).rejects.toMatchObject({ code: "store/unavailable" });
      const heads = await store.getMany([sessionObjectId(made.session)]);
      const { outcome } = await importBundle(store, opening(made.bytes), options);

      expect([heads.size, outcome]).toEqual([0, "imported"]);
      expect(await told(store, made.session)).toEqual(await told(made.store, made.session));
      expect(await everythingIn(store, made.session)).toEqual(whole);
    }
  });

  it("sends a commit again whose answer was lost, and writes it once", async () => {
    for (let place = 1; place <= commits; place += 1) {
      const store = createMemoryStore();

      const { outcome } = await importBundle(failingAt(store, place, "after"), opening(made.bytes), options);

      expect(outcome).toBe("imported");
      expect(await everythingIn(store, made.session)).toEqual(whole);
    }
  });
});
