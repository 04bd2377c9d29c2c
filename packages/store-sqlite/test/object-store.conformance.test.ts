// @module-tag long
// Verifies: object-store/1, on a file as on ":memory:".
import { compareWithModel, objectStoreSuite } from "@cm/testkit";
import { describe, it } from "vitest";
import { openSqliteStore } from "../src/index.ts";
import { freshPath } from "./support/folder.ts";
import { campaign, runSeed } from "./support/random.ts";

describe("the SQLite store fulfils object-store/1", () => {
  for (const { id, clause, title, run } of objectStoreSuite.cases) {
    it(`${id} (${clause}) ${title}`, () =>
      run(async (setting) => openSqliteStore({ ...setting, path: freshPath(), synchronous: "normal" }), {
        timeoutMs: 590_000,
      }));
  }

  it("answers as the model", async () => {
    const commands = Number(process.env.CM_COMMANDS ?? (campaign ? 3_000 : 250));
    const { seed } = runSeed("answers as the model");
    await compareWithModel({
      open: async (setting) => openSqliteStore({ ...setting, path: ":memory:" }),
      seed,
      commands,
    });
  });
});
