import { createMemoryStore } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { type ConformanceSuite, objectStoreSuite, runSuite, type StoreFactory } from "../src/index.ts";

/** A suite over a list of facts: `X-1` wants "one" in it, `X-2` wants "two". */
const suite: ConformanceSuite<readonly string[]> = {
  contract: "facts/1",
  cases: ["one", "two"].map((fact, n) => ({
    id: `X-${n + 1}`,
    clause: "SSOT 1.1",
    title: `It has ${fact}.`,
    async run(facts) {
      if (!facts.includes(fact)) throw new Error(`There is no ${fact}.`);
    },
  })),
};
const outcomes = ({ results }: Awaited<ReturnType<typeof runSuite>>) => results.map(({ outcome }) => outcome);

describe("runSuite", () => {
  it("reports every case, also after one that is broken", async () => {
    const report = await runSuite(suite, ["two"]);

    expect(outcomes(report)).toEqual(["broken", "held"]);
    expect(report.ok).toBe(false);
    expect(report.results[0]).toMatchObject({ id: "X-1", error: new Error("There is no one.") });
  });

  it("accepts a known gap that fails", async () => {
    const report = await runSuite(suite, ["two"], { knownGaps: [{ id: "X-1", reason: "not built yet" }] });

    expect(outcomes(report)).toEqual(["known-gap", "held"]);
    expect(report.ok).toBe(true);
  });

  it("is not content with a known gap that holds", async () => {
    const report = await runSuite(suite, ["one", "two"], { knownGaps: [{ id: "X-1", reason: "not built yet" }] });

    expect(outcomes(report)).toEqual(["closed-gap", "held"]);
    expect(report.ok).toBe(false);
  });

  it.each([
    { gaps: [{ id: "X-9", reason: "unknown" }], says: /has no case X-9/ },
    { gaps: [{ id: "X-1", reason: " " }], says: /has no reason/ },
    {
      gaps: [
        { id: "X-1", reason: "a" },
        { id: "X-1", reason: "b" },
      ],
      says: /listed twice/,
    },
  ])("refuses a list of known gaps that $says", async ({ gaps, says }) => {
    await expect(runSuite(suite, [], { knownGaps: gaps })).rejects.toThrow(says);
  });
});

describe("the cases of object-store/1", () => {
  it("are at least a hundred, with ids that stand in order and a clause and a sentence each", () => {
    const ids = objectStoreSuite.cases.map(({ id }) => id);

    expect(ids.length).toBeGreaterThanOrEqual(100);
    expect(ids.filter((id) => !/^OS-\d{3}$/.test(id))).toEqual([]);
    expect(objectStoreSuite.cases.filter(({ clause }) => !/^(SSOT \d|[FT]\d)/.test(clause))).toEqual([]);
    expect(objectStoreSuite.cases.filter(({ title }) => !/^[A-Z`].*\.$/.test(title))).toEqual([]);
  });

  it("close the store they opened, also when they fail", async () => {
    let open = 0;
    const counting: StoreFactory = async (setting) => {
      open += 1;
      const inner = createMemoryStore(setting);
      return Object.assign(Object.create(inner), {
        commit: () => Promise.reject(new Error("always")),
        close: async () => {
          open -= 1;
        },
      });
    };

    await objectStoreSuite.cases
      .find(({ id }) => id === "OS-010")
      ?.run(counting)
      .catch(() => undefined);

    expect(open).toBe(0);
  });
});
