// @module-tag long
import { describe, it } from "vitest";
import { createModelStore, objectStoreSuite } from "../src/index.ts";

const campaign = process.env.CM_CAMPAIGN === "1";
/** The model is what others are compared with, and no comparison is so large. */
const long = ["OS-120", "OS-121", "OS-122", "OS-124", "OS-126"];

describe("the model fulfils object-store/1, too", () => {
  for (const { id, clause, title, run } of objectStoreSuite.cases) {
    if (long.includes(id) && !campaign) continue;
    it(`${id} (${clause}) ${title}`, () => run(async (setting) => createModelStore(setting)));
  }
});
