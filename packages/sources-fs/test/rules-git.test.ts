// @module-tag process
// Verifies: SSOT 5.10, T6 (ignore rules mean what they mean to git)
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ignoreRules } from "@cm/sources-fs";
import { createRandom, plannedSeeds, type Random } from "@cm/testkit";
import { afterAll, describe, expect, it } from "vitest";

const words = [
  "a",
  "b",
  "build",
  "dist",
  "src",
  "log",
  "x.log",
  "foo",
  "foo.js",
  "bar.txt",
  "[a]",
  "a b",
  "!a",
  "#a",
  "..c",
];
const pieces = [
  ...words,
  "*",
  "*.log",
  "*.js",
  "b*",
  "?",
  "[ab]",
  "[!a]",
  "f?o",
  "*o*",
  "\\[a\\]",
  "\\!a",
  "\\#a",
  "a\\ b",
  "[a-c]*",
];

describe("ignore rules beside git", () => {
  const top = mkdtempSync(join(tmpdir(), "cm-rules-git-"));
  afterAll(() => rmSync(top, { recursive: true, force: true }));

  it("ignore exactly what git ignores, in random trees with random rule files", () => {
    for (const seed of plannedSeeds({ runs: 16 })) {
      const root = join(top, `tree-${seed}`);

      const files = randomTree(root, createRandom(seed));

      const rules = ignoreRules({ roots: [root], secretFiles: false });
      const ours = files.filter((file) => rules.ignored(join(root, file)) !== undefined);
      expect(
        ours,
        `CM_SEED=${seed} CM_RUNS=0.0625 pnpm exec vitest run --project @cm/sources-fs test/rules-git`,
      ).toEqual(ignoredByGit(root, files));
      rmSync(root, { recursive: true });
    }
  });
});

/** Folders three deep, some with a .gitignore, one with an exclude file; returns the files in a fixed order. */
function randomTree(root: string, random: Random): readonly string[] {
  mkdirSync(root, { recursive: true });
  git(root, ["init", "-q", "."]);
  const folders = [""];
  for (const _ of Array(8).keys()) {
    const parent = random.pick(folders);
    if (parent.split("/").length < 5) folders.push(`${parent}${random.pick(words)}/`);
  }
  const files = new Set<string>();
  for (const folder of new Set(folders)) {
    for (const _ of Array(5).keys()) {
      const file = `${folder}${random.pick(words)}`;
      if (!folders.includes(`${file}/`)) files.add(file);
    }
  }
  for (const file of files) write(join(root, file), "");
  for (const folder of new Set(folders)) {
    if (folder === "" || random.chance(0.4)) write(join(root, folder, ".gitignore"), randomRules(random));
  }
  if (random.chance(0.5)) write(join(root, ".git/info/exclude"), randomRules(random));
  return [...files].sort();
}

function randomRules(random: Random): string {
  const line = (): string => {
    const inner = Array.from({ length: 1 + random.below(3) }, () => (random.chance(0.15) ? "**" : random.pick(pieces)));
    const start = random.chance(0.3) ? "!" : "";
    const end = random.pick(["", "", "", "/", " ", "\\ "]);
    return `${start}${random.chance(0.3) ? "/" : ""}${random.chance(0.5) ? inner.join("/") : random.pick(pieces)}${end}`;
  };
  const lines = Array.from({ length: 1 + random.below(7) }, () =>
    random.pick([line, line, line, () => "", () => "# a"])(),
  );
  return lines.join(random.pick(["\n", "\n", "\r\n"]));
}

function ignoredByGit(root: string, files: readonly string[]): readonly string[] {
  const output = git(root, ["check-ignore", "--stdin", "-z", "--no-index"], files.join("\0"));
  return output.split("\0").filter((file) => file !== "");
}

function git(cwd: string, args: readonly string[], input = ""): string {
  const env = { PATH: process.env.PATH, HOME: cwd, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
  const done = spawnSync("git", ["-c", "core.excludesFile=/dev/null", ...args], { cwd, input, env, encoding: "utf8" });
  // 1: nothing is ignored.
  if (done.status !== 0 && done.status !== 1) throw new Error(`git ${args[0]} ended with ${done.status}.`);
  return done.stdout;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
