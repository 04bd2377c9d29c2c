// @module-tag process
// Verifies: two replays are compared figure by figure, and refused where their input differs.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { type ReadResults, type ReadRun, readResults } from "@cm/replay";
import { describe, expect, it } from "vitest";
import { compareResults, worseCount } from "../../src/compare/compare-results.ts";
import { comparisonTable } from "../../src/compare/compare-table.ts";
import { inFolder } from "../support/command.ts";

const hashes = ["a".repeat(64), "b".repeat(64)];

describe("two replays", () => {
  it("differ in what got worse beyond the noise, for sessions and in total", () => {
    const before = results([run(0, { billed: 500, neededMet: 40 }), run(1, { billed: 600, breaksPer100: 2 })]);
    const after = results([run(0, { billed: 501, neededMet: 39 }), run(1, { billed: 570, breaksPer100: 3 })]);

    const { sessions, totals, ...rest } = compareResults(before, after);

    expect(sessions.map(({ worse }) => worse)).toEqual([["needed"], ["breaks"]]);
    expect(totals.map(({ worse }) => worse)).toEqual([["needed", "breaks"]]);
    expect(worseCount({ sessions, totals, ...rest })).toBe(4);
    expect(totals[0]?.before.billed).toBeCloseTo(0.55, 9);
    expect(totals[0]?.after.billed).toBeCloseTo(0.5355, 9);
  });

  it("are told as a table with signs and marks, the same in colour", () => {
    const before = results([run(0, { neededMet: 40 })]);
    const after = results([run(0, { billed: 480, neededMet: 38, cited: 0, citedMet: 0, citedInLine: 0 })]);
    const comparison = compareResults(before, after);

    const table = comparisonTable(comparison, { color: false });

    expect(table).toMatch(/a\.jsonl +log +48\.0 +-2\.0 +.* 95\.0 +-5\.0 ! +– +– /);
    expect(table).toContain("2 figures got worse by more than 0.2 points (!).");
    expect(stripVTControlCharacters(comparisonTable(comparison, { color: true }))).toBe(table);
  });

  it("are compared in union and copied where both have them, and for each family of agents where there are several", () => {
    const measures = { union: 40, unionMet: 40, copied: 100, copiedMet: 90 };
    const pi = { ...run(0, measures), family: "pi" };
    const claude = { ...run(1, { ...measures, unionMet: 36 }), family: "claude-code" };
    const before = results([run(0, measures), run(1, measures)]);

    const { sessions, totals } = compareResults(before, results([pi, claude]));
    const withoutThem = compareResults(results([run(0), run(1)]), results([pi, claude]));

    expect(totals.map(({ family, worse }) => [family, worse])).toEqual([
      ["pi", []],
      ["claude-code", ["union"]],
      [undefined, ["union"]],
    ]);
    expect(sessions[1]?.after).toMatchObject({ union: 0.9, copied: 0.9 });
    expect(withoutThem.totals.flatMap(({ worse }) => worse)).toEqual([]);
    expect(comparisonTable(withoutThem, { color: false })).toMatch(/Claude Code +log .* – .*\ntotal/);
  });

  it("may have one policy each, whatever their names; else those of the same name count", () => {
    const log = results([run(0)]);
    const lean = results([run(0, {}, "lean")], { policies: [{ name: "lean", layout: "log/1" }] });
    const both = results([run(0), run(0, {}, "lean")], { policies: [...log.meta.policies, ...lean.meta.policies] });

    expect(compareResults(log, lean).totals.map(({ policy }) => policy)).toEqual(["log → lean"]);
    expect(compareResults(log, both)).toMatchObject({ totals: [{ policy: "log" }], alone: ["lean"] });
  });

  it.each<[string, Partial<ReadResults["meta"]>, RegExp]>([
    [
      "recordings",
      { recordings: [recordingOf(1)] },
      /recordings differ, only before: a\.jsonl \(aaaaaaaa\), only after: b\.jsonl/,
    ],
    [
      "prices",
      { prices: [{ name: "usual", prices: { read: 0.1, write: 2 } }] },
      /prices differ, usual \(0\.1\/1\.25\) before/,
    ],
    ["lifetimes", { lifetime: "never" }, /lifetime differ, recorded before and never after/],
    ["heads", { headChars: 0 }, /fixed head in characters differ, 16000 before and 0 after/],
    ["paths", { activePath: true }, /active path only differ/],
    [
      "policies",
      {
        policies: [
          { name: "x", layout: "x" },
          { name: "y", layout: "y" },
        ],
      },
      /No policy is in both: log against x, y/,
    ],
  ])("of different %s are refused, and the sentence names them", (_what, meta, message) => {
    expect(() => compareResults(results([run(0)]), results([run(0)], meta))).toThrow(message);
  });
});

describe("a results file", () => {
  it.each([
    ["an earlier version's", "[]", /was written by an earlier version; replay again/],
    ["of another shape", '{"format":"replay-results/1","meta":{}}', /has not the shape of replay-results\/1 \(at meta/],
    ["no JSON", "{", /is no JSON/],
  ])("that is %s is refused in one sentence", async (_what, content, message) => {
    await inFolder((folder) => {
      writeFileSync(join(folder, "results.json"), content);

      expect(() => readResults(folder)).toThrow(message);
    });
  });

  it("that is not there is refused in one sentence", async () => {
    await inFolder((folder) => {
      mkdirSync(join(folder, "results.json"));

      expect(() => readResults(folder)).toThrow(/has no results\.json that can be read/);
    });
  });
});

function results(runs: readonly ReadRun[], meta: Partial<ReadResults["meta"]> = {}): ReadResults {
  return {
    format: "replay-results/1",
    meta: {
      command: "replay",
      recordings: [...new Set(runs.map(({ recording }) => Number(recording)))].map(recordingOf),
      policies: [{ name: "log", layout: "log/1" }],
      prices: [{ name: "usual", prices: { read: 0.1, write: 1.25 } }],
      ...{ lifetime: "recorded", headChars: 16_000, activePath: false },
      ...meta,
    },
    runs: [...runs],
  };
}

function recordingOf(place: number): ReadResults["meta"]["recordings"][number] {
  return { file: `${"ab"[place]}.jsonl`, sha256: hashes[place] ?? "", recording: `${place}`, calls: 100 };
}

function run(place: number, totals: Partial<ReadRun["totals"]> = {}, policy = "log"): ReadRun {
  return {
    ...{ file: `${"ab"[place]}.jsonl`, recording: `${place}`, policy, pricing: "usual", calls: 100 },
    totals: {
      ...{ billed: 500, plainBilled: 1_000, faultedShare: 0.5, breaksPer100: 2 },
      ...{ needed: 40, neededMet: 40, cited: 100, citedMet: 100, citedInLine: 96 },
      ...totals,
    },
  };
}
