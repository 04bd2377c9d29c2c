import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { absolute, compared, type Figure, median } from "../figure.ts";
import { largeTree, writeTree } from "./generated-tree.ts";
import type { TreeFigures } from "./index-tree.ts";

const gitRounds = 5;

/** Files of a large tree, beside git on the same tree in the same run. */
export async function sourcesBench(program: string): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "cm-bench-"));
  try {
    const root = join(folder, "tree");
    writeTree(root, largeTree);
    const paths = readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    git(root, ["init", "--quiet"]);
    const addMs = git(root, ["add", "-A"]);
    const own = run(program, [root, join(folder, "tree.sqlite")]);
    const statusMs = Array.from({ length: gitRounds }, () => git(root, ["status", "--porcelain"]));
    const hashMs = Array.from({ length: gitRounds }, () =>
      git(root, ["hash-object", "--no-filters", "--stdin-paths"], `${paths.join("\n")}\n`),
    );
    if (own.files < paths.length) throw new Error(`Only ${own.files} of ${paths.length} files were indexed.`);
    return figures(own, { files: paths.length, addMs, statusMs, hashMs });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface GitTimes {
  readonly files: number;
  readonly addMs: number;
  readonly statusMs: readonly number[];
  readonly hashMs: readonly number[];
}

function figures(own: TreeFigures, { files, addMs, statusMs, hashMs }: GitTimes): readonly Figure[] {
  return [
    compared(
      { id: "sources.sweep", what: `look at ${files} unchanged files, median`, unit: "ms", goal: 1.3 },
      median(own.sweepMs),
      { what: "git status", value: median(statusMs) },
    ),
    compared(
      { id: "sources.index", what: `first index of ${files} files into store-sqlite, redacted`, unit: "ms", goal: 1 },
      own.indexMs,
      { what: "git add -A", value: addMs },
    ),
    compared(
      { id: "sources.rehash", what: `hash ${files} files again, median`, unit: "ms", goal: 1 },
      median(own.rehashMs),
      { what: "git hash-object --stdin-paths", value: median(hashMs) },
    ),
    absolute({ id: "sources.memory", what: "peak memory of the process that did all this", unit: "MB", goal: 200 }, [
      own.memoryMb,
    ]),
  ];
}

/** Milliseconds. No user's configuration: filters and hooks of theirs would be measured, too. */
function git(folder: string, args: readonly string[], input?: string): number {
  const environment = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const started = performance.now();
  const { status, error } = spawnSync("git", args, {
    cwd: folder,
    env: environment,
    stdio: [input === undefined ? "ignore" : "pipe", "ignore", "inherit"],
    ...(input === undefined ? {} : { input }),
  });
  if (error !== undefined || status !== 0) throw new Error(`git ${args[0]} failed`, { cause: error });
  return performance.now() - started;
}

function run(program: string, args: readonly string[]): TreeFigures {
  const { status, stdout } = spawnSync(process.execPath, [program, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`The process that indexes ended with ${status}.`);
  return JSON.parse(stdout) as TreeFigures;
}
