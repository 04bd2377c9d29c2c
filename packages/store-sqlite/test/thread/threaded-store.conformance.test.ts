// @module-tag long
// Verifies: object-store/1, on a file in a thread of its own.
import { openSqliteStoreInThread } from "@cm/store-sqlite";
import { compareWithModel, objectStoreSuite } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { freshPath } from "../support/folder.ts";
import { campaign, runSeed } from "../support/random.ts";

/** What is the thread's and not the store's: what crosses, the checks before it, order, clock and closing. */
const numbers = ["008", "030", "055", "065", "091", "104", "125", "127", "131", "135", "140", "141", "142", "151"];
const short = numbers.map((number) => `OS-${number}`);
const cases = objectStoreSuite.cases.filter(({ id }) => campaign || short.includes(id));

describe("the SQLite store in a thread fulfils object-store/1", () => {
  it("is asked by every case that is named", () => expect(cases.length).toBeGreaterThanOrEqual(short.length));

  for (const { id, clause, title, run } of cases) {
    it(`${id} (${clause}) ${title}`, () =>
      run(async (setting) => openSqliteStoreInThread({ ...setting, path: freshPath(), synchronous: "normal" }), {
        timeoutMs: 590_000,
      }));
  }

  it("answers as the model", async () => {
    const { seed } = runSeed("answers as the model");
    await compareWithModel({
      open: async (setting) => openSqliteStoreInThread({ ...setting, path: ":memory:" }),
      seed,
      commands: campaign ? 3_000 : 100,
    });
  });
});
