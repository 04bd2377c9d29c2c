// @module-tag long
// Verifies: POL-001 to POL-052 hold for a sane policy, and each catches what it is meant to catch.
import { describe, expect, it } from "vitest";
import { openSimplePolicy, plantedPolicyBugs, policySuite, runSuite } from "../src/index.ts";

describe("a small policy fulfils policy/1", () => {
  it.each(policySuite.cases)("$id ($clause) $title", async ({ run }) => {
    await expect(run(openSimplePolicy)).resolves.toBeUndefined();
  });
});

describe("the policy suite rejects every planted bug", () => {
  it.each(plantedPolicyBugs)("$name Caught by $caughtBy.", async ({ caughtBy, open }) => {
    const cases = policySuite.cases.filter(({ id }) => caughtBy.includes(id));

    const { results } = await runSuite({ ...policySuite, cases }, open);

    expect(results.filter(({ outcome }) => outcome === "broken").map(({ id }) => id)).toEqual(caughtBy);
  });
});

describe("planted bugs of policies and cases", () => {
  it("name each other: every case catches a bug that is meant for it", () => {
    const caught = new Set(plantedPolicyBugs.flatMap(({ caughtBy }) => caughtBy));

    expect(policySuite.cases.map(({ id }) => id).filter((id) => !caught.has(id))).toEqual([]);
  });

  it("have names and ids of their own", () => {
    const names = plantedPolicyBugs.map(({ name }) => name);
    const ids = policySuite.cases.map(({ id }) => id);

    expect(new Set(names).size).toBe(names.length);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("lay nothing on a policy that promises nothing", async () => {
    const open = () => ({ ...openSimplePolicy(), promises: [] });
    const promised = policySuite.cases.filter(({ id }) => id >= "POL-030" && id !== "POL-050");

    const { ok } = await runSuite({ ...policySuite, cases: promised }, open);

    expect(ok).toBe(true);
  });
});
