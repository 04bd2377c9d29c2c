// @module-tag long
import { describe, expect, it } from "vitest";
import { objectStoreSuite, plantedBugs, runSuite } from "../src/index.ts";

/** Cases about large inputs take seconds each; they run where they are meant to catch something. */
const slow = new Set(["OS-120", "OS-121", "OS-122", "OS-124", "OS-126"]);

async function failuresOf(open: (typeof plantedBugs)[number]["open"], ids: (id: string) => boolean) {
  const cases = objectStoreSuite.cases.filter(({ id }) => ids(id));
  const { results } = await runSuite({ ...objectStoreSuite, cases }, open);
  return results.filter(({ outcome }) => outcome === "broken");
}

describe("the suite rejects every planted bug", () => {
  for (const { name, caughtBy, open } of plantedBugs) {
    it(`${name} Caught by ${caughtBy.join(", ")}.`, { timeout: 120_000 }, async () => {
      const failures = await failuresOf(open, (id) => caughtBy.includes(id) || !slow.has(id));

      expect(failures.map(({ id }) => id)).toEqual(expect.arrayContaining([...caughtBy]));
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
