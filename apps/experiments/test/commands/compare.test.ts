// Verifies: a matrix of policies and prices, and the comparison of two of them, as commands.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ResultsFile } from "../../src/replay/results-file.ts";
import { inFolder, run } from "../support/command.ts";

const matrix = [
  "replay",
  "--generated",
  "1:30",
  "--prices",
  "none,0.1/1.25",
  "--lifetime",
  "recorded",
  "--store",
  "memory",
];

describe("replay and compare", () => {
  it("run a matrix, keep what it depends on, and say what became worse", async () => {
    await inFolder((folder) => {
      const first = run(folder, ...matrix, "--policy", "plain", "--out", "first");
      const second = run(folder, ...matrix, "--policy", "plain,log", "--out", "second");
      const same = run(folder, "compare", "first", "second", "--fail-if-worse");
      const { meta, runs } = JSON.parse(readFileSync(join(folder, "second/results.json"), "utf8")) as ResultsFile;
      const dearer = runs.map((one) => ({ ...one, totals: { ...one.totals, billed: one.totals.billed * 1.1 } }));
      writeFileSync(
        join(folder, "second/results.json"),
        JSON.stringify({ format: "replay-results/1", meta, runs: dearer }),
      );
      const worse = run(folder, "compare", "first", "second", "--fail-if-worse");
      const told = run(folder, "compare", "first", "second", "--json");

      expect([first.status, second.status]).toEqual([0, 0]);
      expect(second.stdout).toMatch(/^file +policy +prices/);
      expect(readdirSync(join(folder, "second")).sort()).toEqual([
        "report-0.1-1.25.html",
        "report.html",
        "results.json",
      ]);
      expect(runs.map(({ policy, pricing, lifetime }) => `${policy} ${pricing} ${lifetime}`)).toEqual([
        "plain none 1 min",
        "log none 1 min",
        "plain 0.1/1.25 1 min",
        "log 0.1/1.25 1 min",
      ]);
      expect(runs[2]?.calls.some(({ cold }) => cold === true)).toBe(true);
      expect(runs[2]?.totals.billedShare).toBe(1);
      expect(meta.recordings[0]).toMatchObject({ file: "generated-1-30.jsonl", calls: 30, sha256: expect.any(String) });
      expect([same.status, worse.status, told.status]).toEqual([0, 1, 0]);
      expect(same.stdout).toContain("Nothing got worse");
      expect(JSON.parse(told.stdout)).toMatchObject({ worse: 4, alone: ["log"] });
    });
  }, 60_000);

  it("refuse what cannot be compared with status 2 and one sentence", async () => {
    await inFolder((folder) => {
      writeFileSync(join(folder, "results.json"), "[]");

      const { status, stderr, stdout } = run(folder, "compare", ".", ".");

      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr.trim().split("\n")).toHaveLength(1);
    });
  });
});
