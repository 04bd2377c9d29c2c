// @module-tag long
// Verifies: F5
import { createMemoryStore } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { compareWithModel, plannedSeeds, plantedBugs } from "../src/index.ts";
import found from "./seeds.json" with { type: "json" };

const commands = 50;

describe("random commands", () => {
  it("give the same answers on the memory store as on the model", async () => {
    const campaign = process.env.CM_CAMPAIGN === "1";
    const seeds = plannedSeeds({ runs: campaign ? 2_000 : 100, found });

    for (const seed of seeds) {
      await compareWithModel({ open: async (setting) => createMemoryStore(setting), seed, commands });
    }

    expect(seeds.length * commands).toBeGreaterThanOrEqual(campaign ? 1_000_000 : 5_000);
  });

  for (const name of [
    "Reads ignore the basis.",
    "The newest write holds, whatever its valid time.",
    "Among equal valid times the first transaction holds.",
    "Time goes on for reads at an old basis.",
    "A change of the source hash alone is lost.",
    "The token is that of the latest valid time.",
    "Erasing takes all versions of objects that share a text.",
    "Erasing a step leaves its attachments.",
    "A commit is written one document after the other.",
    "Request ids are ignored.",
    "Find ignores the namespace.",
    "An erased object counts as absent.",
  ]) {
    it(`find the planted bug: ${name}`, async () => {
      const bug = plantedBugs.find((planted) => planted.name === name);

      await expect(async () => {
        for (let seed = 1; seed <= 100; seed += 1) await compareWithModel({ open: required(bug).open, seed, commands });
      }).rejects.toThrow(/^The store differs from the model after command \d+ of seed \d+\. Repeat with: CM_SEED=\d+ /);
    });
  }

  it("report the shortest run that still differs, as data", async () => {
    const bug = plantedBugs.find(({ name }) => name === "Expectations are ignored.");

    const error: Error = await compareWithModel({ open: required(bug).open, seed: 1, commands }).catch((e) => e);

    const [, , ...steps] = error.message.split("\n");
    expect(steps.map((line) => JSON.parse(line).command.kind)).toEqual(["commit"]);
  });
});

describe("planned seeds", () => {
  it("start with those that found something and go on in a row", () => {
    expect(plannedSeeds({ runs: 3, found: [{ seed: 77, found: "a fault" }] }, {})).toEqual([77, 1, 2, 3]);
  });

  it("start at CM_SEED and are multiplied by CM_RUNS", () => {
    expect(plannedSeeds({ runs: 2, found: [{ seed: 77, found: "a fault" }] }, { CM_SEED: "5", CM_RUNS: "2" })).toEqual([
      5, 6, 7, 8,
    ]);
  });

  it("are ten times as many in a campaign", () => {
    expect(plannedSeeds({ runs: 2 }, { CM_CAMPAIGN: "1" })).toHaveLength(20);
  });
});

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("No planted bug has this name.");
  return value;
}
