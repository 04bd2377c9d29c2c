import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { stormPaths } from "./storm-operations.ts";

const run = promisify(execFile);

export interface Storm {
  readonly seed: number;
  readonly operations: number;
  readonly files: number;
  /** Bursts of about 20 operations are up to so many milliseconds apart. */
  readonly gapMs: number;
}

/** The files of a storm before it begins. */
export function calm(root: string, files: number): readonly string[] {
  const paths = stormPaths(root, files);
  for (const path of paths) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "before the storm");
  }
  return paths;
}

/** A second process that changes files in `root`. Resolves at its end, with the numbers of the files that were ever gone. */
export async function storm(root: string, { seed, operations, files, gapMs }: Storm): Promise<ReadonlySet<number>> {
  const program = join(import.meta.dirname, "storm-writer.ts");
  const numbers = [seed, operations, files, gapMs].map(String);
  const { stdout } = await run(process.execPath, [program, root, ...numbers]);
  return new Set(JSON.parse(stdout) as number[]);
}

/** A second process that saves files like four kinds of editors. Resolves with those that were really gone for long. */
export async function editing(root: string, options: { saves: number; files: number }): Promise<ReadonlySet<number>> {
  const program = join(import.meta.dirname, "storm-saves.ts");
  const { stdout } = await run(process.execPath, [program, root, String(options.saves), String(options.files)]);
  return new Set(JSON.parse(stdout) as number[]);
}

/** `git` in a folder, without the machine's own settings. */
export async function git(root: string, args: readonly string[], input?: string): Promise<void> {
  const running = run("git", ["-c", "core.autocrlf=false", "-c", "gc.auto=0", ...args], {
    cwd: root,
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  });
  // Without an input nothing is written: an empty one is an error where git has ended before it.
  running.child.stdin?.end(input);
  await running;
}

/**
 * A repository with the branches `main` and `other`, on `main`: all files differ between the two, some exist in one
 * only, some folders, too. Returns the paths of both.
 */
export async function twoBranches(root: string, files: number): Promise<readonly string[]> {
  const nameOf = (n: number): string => `folder-${n % 60}/part-${n % 7}/file-${n}.ts`;
  const branch = (name: string, keep: (n: number) => boolean): string[] => [
    `commit refs/heads/${name}`,
    "committer Ada <ada@example.org> 0 +0000",
    `data ${name.length}`,
    name,
    ...Array.from({ length: files }, (_, n) => n)
      .filter(keep)
      .flatMap((n) => [`M 100644 inline ${nameOf(n)}`, `data ${`${name} ${n}`.length}`, `${name} ${n}`]),
    "",
  ];
  const main = branch("main", (n) => n % 60 !== 1);
  const other = branch("other", (n) => n % 60 !== 2 && n % 11 !== 0);
  await git(root, ["init", "-q", "-b", "main"]);
  // One pack instead of thousands of loose objects.
  await git(root, ["fast-import", "--quiet"], [...main, ...other].join("\n"));
  await git(root, ["checkout", "-qf", "main"]);
  return Array.from({ length: files }, (_, n) => join(root, nameOf(n)));
}
