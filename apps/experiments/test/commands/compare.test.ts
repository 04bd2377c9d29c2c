// @module-tag process
// Verifies: a matrix of policies and prices, and the comparison of two of them, as commands.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ResultsFile, RunResult } from "@cm/replay";
import { describe, expect, it } from "vitest";
import { inFolder, run } from "../support/command.ts";

const matrix = "--generated 1:12 --policy plain,log --prices none,0.1/1.25 --lifetime 1 --store memory".split(" ");

describe("replay and compare", () => {
  it("run a matrix, keep what it depends on, and say what became worse", async () => {
    await inFolder((folder) => {
      const replayed = run(folder, "replay", ...matrix, "--out", "before");
      const results = JSON.parse(readFileSync(join(folder, "before/results.json"), "utf8")) as ResultsFile;
      const { meta, runs, families = [] } = results;
      const same = run(folder, "compare", "before", "before", "--fail-if-worse");
      mkdirSync(join(folder, "after"));
      writeFileSync(join(folder, "after/results.json"), JSON.stringify({ ...results, runs: runs.map(dearer) }));
      const worse = run(folder, "compare", "before", "after", "--fail-if-worse", "--json");

      expect(replayed.status).toBe(0);
      expect(replayed.stdout).toMatch(/^file +policy +prices/);
      expect(readdirSync(join(folder, "before")).sort()).toEqual([
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
      expect(runs.map(({ family }) => family)).toEqual(["pi", "pi", "pi", "pi"]);
      expect(families.map(({ family, policy, pricing }) => `${family} ${policy} ${pricing}`)).toEqual([
        ...["pi plain none", "pi log none", "pi plain 0.1/1.25", "pi log 0.1/1.25"],
      ]);
      expect(runs[2]?.calls.some(({ cold }) => cold === true)).toBe(true);
      expect(runs[2]?.totals.billedShare).toBe(1);
      expect(meta.recordings[0]).toMatchObject({ file: "generated-1-12.jsonl", calls: 12, sha256: expect.any(String) });
      expect([same.status, worse.status]).toEqual([0, 1]);
      expect(same.stdout).toContain("Nothing got worse");
      expect(JSON.parse(worse.stdout)).toMatchObject({ worse: 8, alone: [] });
    });
  });

  it("set two policies beside each other on the same recordings, one's own among them", async () => {
    await inFolder((folder) => {
      // Nothing of ours is installed in this folder.
      const layout = `import { layouts } from "@cm/render";
        export default { ...layouts.plain, policy: { ...layouts.plain.policy, name: "mine" } };`;
      writeFileSync(join(folder, "mine.mjs"), layout);
      const args = ["--generated", "1:12", "--store", "memory", "--out", "out"];

      const better = run(folder, "compare", "--policy", "plain,log", ...args, "--json");
      const same = run(folder, "compare", "--policy", "plain,./mine.mjs", ...args, "--fail-if-worse");
      const one = run(folder, "compare", "--policy", "log", ...args);

      const { totals, alone } = JSON.parse(better.stdout) as { totals: { policy: string }[]; alone: string[] };
      expect(totals.map(({ policy }) => policy)).toEqual(["plain → log"]);
      expect(alone).toEqual([]);
      expect(same).toMatchObject({ status: 0, stdout: expect.stringContaining("plain → ./mine.mjs") });
      expect(same.stdout).toContain("Nothing got worse");
      expect(one).toMatchObject({ status: 2, stdout: "", stderr: expect.stringContaining("Name two policies") });
      expect(run(folder, "compare", "out").status).toBe(2);
    });
  });

  it("refuse what cannot be compared with status 2 and one sentence", async () => {
    await inFolder((folder) => {
      writeFileSync(join(folder, "results.json"), "[]");

      const { status, stderr, stdout } = run(folder, "compare", ".", ".");

      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr.trim().split("\n")).toHaveLength(1);
    });
  });
});

function dearer(run: RunResult): RunResult {
  return { ...run, totals: { ...run.totals, billed: run.totals.billed * 1.1 } };
}
