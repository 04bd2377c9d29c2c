// @module-tag long
import { describe, expect, it } from "vitest";
import { objectStoreSuite, plantedBugs, runSuite } from "../src/index.ts";

/** The cases that are meant to catch something: each opens a store of its own, so the others have no part in it. */
async function failuresOf({ caughtBy, open }: (typeof plantedBugs)[number]) {
  const cases = objectStoreSuite.cases.filter(({ id }) => caughtBy.includes(id));
  const { results } = await runSuite({ ...objectStoreSuite, cases }, open);
  return results.filter(({ outcome }) => outcome === "broken");
}

describe("the suite rejects every planted bug", () => {
  for (const bug of plantedBugs) {
    it(`${bug.name} Caught by ${bug.caughtBy.join(", ")}.`, async () => {
      const failures = await failuresOf(bug);

      expect(failures.map(({ id }) => id).sort()).toEqual([...bug.caughtBy].sort());
    });
  }
});

describe("planted bugs and cases", () => {
  it("name each other: every case catches a bug that is meant for it", () => {
    const caught = new Set(plantedBugs.flatMap(({ caughtBy }) => caughtBy));

    expect(objectStoreSuite.cases.map(({ id }) => id).filter((id) => !caught.has(id))).toEqual([]);
  });

  it("have names and ids of their own", () => {
    const names = plantedBugs.map(({ name }) => name);
    const ids = objectStoreSuite.cases.map(({ id }) => id);

    expect(new Set(names).size).toBe(names.length);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
