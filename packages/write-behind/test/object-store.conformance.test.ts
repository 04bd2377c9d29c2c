// Verifies: object-store/1, attached over the memory store: every answer is the base's own.
import { createMemoryStore } from "@cm/object-model";
import { compareWithModel, objectStoreSuite } from "@cm/testkit";
import { describe, it } from "vitest";
import { createWriteBehindStore } from "../src/index.ts";

const campaign = process.env.CM_CAMPAIGN === "1";
/** What is refused is checked twice, and this takes half a million keys. */
const long = ["OS-126"];

describe("a write-behind store over the memory store fulfils object-store/1", () => {
  for (const { id, clause, title, run } of objectStoreSuite.cases) {
    if (long.includes(id) && !campaign) continue;
    it(`${id} (${clause}) ${title}`, () =>
      run(async (setting) => createWriteBehindStore(createMemoryStore(setting), { ...setting, wait: never })));
  }

  it("answers as the model", async () => {
    await compareWithModel({
      open: async (setting) => createWriteBehindStore(createMemoryStore(setting), { ...setting, wait: never }),
      seed: Number(process.env.CM_SEED ?? 1),
      commands: campaign ? 3_000 : 150,
    });
  });
});

/** The memory store is in time, however slow the machine is. */
function never(): Promise<void> {
  return new Promise(() => undefined);
}
