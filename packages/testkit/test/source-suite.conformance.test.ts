// Verifies: SRC-001 to SRC-025, on the memory source.
import { describe, it } from "vitest";
import { openMemorySource, sourceSuite } from "../src/index.ts";

describe("the memory source fulfils source/1", () => {
  for (const { id, clause, title, run } of sourceSuite.cases) {
    it(`${id} (${clause}) ${title}`, () => run(openMemorySource));
  }
});
