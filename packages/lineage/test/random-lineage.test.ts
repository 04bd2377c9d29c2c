// @module-tag long
// Verifies: seed conversation-and-session: random operations of two processes, against plain arrays.
import { forSeeds } from "@cm/testkit";
import { it } from "vitest";
import { compareWithModel } from "./support/random-lineage.ts";
import { onMemory, onSqlite } from "./support/stores.ts";

const file = "packages/lineage/test/random-lineage.test.ts";

onMemory("random operations in memory", (use) => {
  it("answer as the model does", () =>
    forSeeds({ short: 8, long: 2_000, file }, (random) => use((world) => compareWithModel(world, random, 250))));
});

onSqlite("random operations on SQLite", (use) => {
  it("answer as the model does", () =>
    forSeeds({ short: 2, long: 200, file }, (random) => use((world) => compareWithModel(world, random, 250))));
});
