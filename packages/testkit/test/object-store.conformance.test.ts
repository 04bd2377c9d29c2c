// @module-tag long
import { createMemoryStore } from "@cm/object-model";
import { describe, it } from "vitest";
import { objectStoreSuite } from "../src/index.ts";

describe("the memory store fulfils object-store/1", () => {
  for (const { id, clause, title, run } of objectStoreSuite.cases) {
    it(`${id} (${clause}) ${title}`, () => run(async (setting) => createMemoryStore(setting)));
  }
});
