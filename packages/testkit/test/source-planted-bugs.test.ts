// @module-tag long
// Verifies: SRC-001 to SRC-025 each catch what they are meant to catch.
import { describe, expect, it } from "vitest";
import { plantedSourceBugs, runSuite, sourceSuite } from "../src/index.ts";

async function failuresOf(open: (typeof plantedSourceBugs)[number]["open"]): Promise<readonly string[]> {
  const { results } = await runSuite(sourceSuite, open);
  return results.filter(({ outcome }) => outcome === "broken").map(({ id }) => id);
}

describe("the source suite rejects every planted bug", () => {
  for (const { name, caughtBy, open } of plantedSourceBugs) {
    it(`${name} Caught by ${caughtBy.join(", ")}.`, { timeout: 60_000 }, async () => {
      const failures = await failuresOf(open);

      expect(failures).toEqual(expect.arrayContaining([...caughtBy]));
    });
  }
});

describe("planted bugs of sources and cases", () => {
  it("name each other: every case catches a bug that is meant for it", () => {
    const caught = new Set(plantedSourceBugs.flatMap(({ caughtBy }) => caughtBy));

    expect(sourceSuite.cases.map(({ id }) => id).filter((id) => !caught.has(id))).toEqual([]);
  });

  it("have names and ids of their own", () => {
    const names = plantedSourceBugs.map(({ name }) => name);
    const ids = sourceSuite.cases.map(({ id }) => id);

    expect(new Set(names).size).toBe(names.length);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
