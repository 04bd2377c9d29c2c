// Verifies: HAR-001 to HAR-053 hold for a small harness, and each catches what it is meant to catch.
import { describe, expect, it } from "vitest";
import {
  type HarnessRun,
  harnessSuite,
  openSimpleHarness,
  plantedHarnessBugs,
  probeResult,
  remembering,
  runSuite,
} from "../src/index.ts";

describe("a small harness fulfils harness/1", () => {
  const harness = remembering(openSimpleHarness());

  it.each(harnessSuite.cases)("$id ($clause) $title", async ({ run }) => {
    await expect(run(() => harness)).resolves.toBeUndefined();
  });
});

describe("the harness suite rejects every planted bug", () => {
  it.each(plantedHarnessBugs)("$name Caught by $caughtBy.", async ({ caughtBy, open }) => {
    const harness = remembering(open());
    const cases = harnessSuite.cases.filter(({ id }) => caughtBy.includes(id));

    const { results } = await runSuite({ ...harnessSuite, cases }, () => harness);

    expect(results.filter(({ outcome }) => outcome === "broken").map(({ id }) => id)).toEqual(caughtBy);
  });
});

describe("planted bugs of harnesses and cases", () => {
  it("name each other: every case catches a bug that is meant for it", () => {
    const caught = new Set(plantedHarnessBugs.flatMap(({ caughtBy }) => caughtBy));

    expect(harnessSuite.cases.map(({ id }) => id).filter((id) => !caught.has(id))).toEqual([]);
  });

  it("have names and ids of their own", () => {
    const names = plantedHarnessBugs.map(({ name }) => name);
    const ids = harnessSuite.cases.map(({ id }) => id);

    expect(new Set(names).size).toBe(names.length);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("the harness suite", () => {
  it("plays nothing that a harness cannot do", async () => {
    const simple = openSimpleHarness();
    const played = new Set<string>();
    const plain = {
      ...simple,
      features: [],
      play(conversation: Parameters<typeof simple.play>[0]): Promise<HarnessRun> {
        played.add(conversation.id);
        return simple.play(conversation);
      },
    };

    const { ok } = await runSuite(harnessSuite, () => plain);

    expect([ok, [...played]]).toEqual([true, ["everyday", "long"]]);
  });

  it("has a tool that does what its arguments say", () => {
    const image = { mime: "image/png", base64: "AAAA" };

    expect(probeResult({ say: "ab", times: 2, backwards: true, fail: true, image })).toEqual({
      text: "baba",
      failed: true,
      images: [image],
    });
    expect(probeResult({})).toEqual({ text: "", failed: false, images: [] });
  });
});
