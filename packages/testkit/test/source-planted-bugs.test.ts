// @module-tag long
// Verifies: SRC-001 to SRC-025 each catch what they are meant to catch.
import { describe, expect, it } from "vitest";
import { plantedSourceBugs, runSuite, sourceSuite } from "../src/index.ts";

/** The cases that are meant to catch something: each opens a source of its own, so the others have no part in it. */
async function failuresOf({ caughtBy, open }: (typeof plantedSourceBugs)[number]): Promise<readonly string[]> {
  const cases = sourceSuite.cases.filter(({ id }) => caughtBy.includes(id));
  const { results } = await runSuite({ ...sourceSuite, cases }, open);
  return results.filter(({ outcome }) => outcome === "broken").map(({ id }) => id);
}

describe("the source suite rejects every planted bug", () => {
  for (const bug of plantedSourceBugs) {
    it(`${bug.name} Caught by ${bug.caughtBy.join(", ")}.`, async () => {
      const failures = await failuresOf(bug);

      expect([...failures].sort()).toEqual([...bug.caughtBy].sort());
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
