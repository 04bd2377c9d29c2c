import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defined } from "@cm/object-model";
import { absolute, compared, type Figure, median } from "../figure.ts";
import { largeTree, writeTree } from "./generated-tree.ts";
import type { TreeFigures } from "./index-tree.ts";

const rounds = 3;
const gitRounds = 5;
/** V8 takes what it is allowed to before it looks for garbage: bounded, the process shows what it needs. */
const heapFlags = ["--max-semi-space-size=2", "--max-old-space-size=64"];

/** Files of a large tree, beside git on the same tree in the same run. */
export async function sourcesBench(program: string): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "cm-bench-"));
  try {
    const root = join(folder, "tree");
    writeTree(root, largeTree);
    const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = files.map((entry) => join(entry.parentPath, entry.name));
    const times: Round[] = [];
    for (let round = 0; round < rounds; round += 1) {
      times.push(measured(root, { program, paths, database: join(folder, `tree-${round}.sqlite`) }));
    }
    return figures(times, paths.length);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Round {
  readonly own: TreeFigures;
  readonly addMs: number;
  readonly statusMs: readonly number[];
  readonly hashMs: readonly number[];
}

interface RoundSetting {
  readonly program: string;
  readonly paths: readonly string[];
  readonly database: string;
}

/** git and we in turns, each from the beginning. */
function measured(root: string, { program, paths, database }: RoundSetting): Round {
  rmSync(join(root, ".git"), { recursive: true, force: true });
  git(root, ["init", "--quiet"]);
  const addMs = git(root, ["add", "-A"]);
  const own = run(program, [root, database]);
  if (own.files !== paths.length) throw new Error(`${own.files} of ${paths.length} files were indexed.`);
  const statusMs = Array.from({ length: gitRounds }, () => git(root, ["status", "--porcelain"]));
  const list = `${paths.join("\n")}\n`;
  const hashMs = Array.from({ length: gitRounds }, () =>
    git(root, ["hash-object", "--no-filters", "--stdin-paths"], list),
  );
  return { own, addMs, statusMs, hashMs };
}

function figures(times: readonly Round[], files: number): readonly Figure[] {
  return [
    compared(
      { id: "sources.sweep", what: `look at ${files} unchanged files, median`, unit: "ms", goal: 1.3 },
      median(times.flatMap(({ own }) => own.sweepMs)),
      { what: "git status", value: median(times.flatMap(({ statusMs }) => statusMs)) },
    ),
    compared(
      {
        id: "sources.index",
        what: `first index of ${files} files into store-sqlite, redacted, median`,
        unit: "ms",
        goal: 1,
      },
      median(times.map(({ own }) => own.indexMs)),
      { what: "git add -A", value: median(times.map(({ addMs }) => addMs)) },
    ),
    compared(
      { id: "sources.rehash", what: `hash ${files} files again, median`, unit: "ms", goal: 1 },
      median(times.flatMap(({ own }) => own.rehashMs)),
      { what: "git hash-object --stdin-paths", value: median(times.flatMap(({ hashMs }) => hashMs)) },
    ),
    absolute(
      {
        id: "sources.memory",
        what: `peak memory of indexing and sweeping (${heapFlags.join(" ")})`,
        unit: "MB",
        goal: 200,
      },
      times.map(({ own }) => own.memoryMb),
    ),
    absolute(
      { id: "sources.rehash.memory", what: "the same with hashing everything again", unit: "MB", goal: null },
      times.map(({ own }) => own.rehashMemoryMb),
    ),
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
    ...defined({ input }),
  });
  if (error !== undefined || status !== 0) throw new Error(`git ${args[0]} failed`, { cause: error });
  return performance.now() - started;
}

function run(program: string, args: readonly string[]): TreeFigures {
  const { status, stdout } = spawnSync(process.execPath, [...heapFlags, program, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`The process that indexes ended with ${status}.`);
  return JSON.parse(stdout) as TreeFigures;
}
