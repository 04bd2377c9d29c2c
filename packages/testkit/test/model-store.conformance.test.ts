// @module-tag long
import { describe, it } from "vitest";
import { createModelStore, objectStoreSuite } from "../src/index.ts";

describe("the model fulfils object-store/1, too", () => {
  for (const { id, clause, title, run } of objectStoreSuite.cases) {
    it(`${id} (${clause}) ${title}`, { timeout: 120_000 }, () => run(async (setting) => createModelStore(setting)));
  }
});
