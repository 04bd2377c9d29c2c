// Verifies: F5: random calls beside the memory store find a store that answers otherwise.
import { createMemoryStore } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { compareWithMemory, plantedBugs, type StoreFactory } from "../src/index.ts";

const calls = 200;

describe("random calls beside the memory store", () => {
  it.each([false, true])("are answered alike by a second memory store, shared: %s", async (shared) => {
    for (let seed = 1; seed <= 5; seed += 1) {
      const open: StoreFactory = async (setting) => createMemoryStore(setting);

      await expect(compareWithMemory({ open, seed, calls, shared })).resolves.toBe(undefined);
    }
  });

  it.each([
    "Reads ignore the basis.",
    "A change of the source hash alone is lost.",
    "Erasing a step leaves its attachments.",
    "Request ids are ignored.",
    "Find ignores the namespace.",
  ])("find the planted bug: %s", async (name) => {
    const bug = plantedBugs.find((planted) => planted.name === name);

    await expect(async () => {
      if (bug === undefined) return;
      for (let seed = 1; seed <= 60; seed += 1) await compareWithMemory({ open: bug.open, seed, calls });
    }).rejects.toThrow(/call \d+ of seed \d+/);
  });
});
