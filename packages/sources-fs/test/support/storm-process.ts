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
export async function git(root: string, ...args: readonly string[]): Promise<void> {
  const settings = ["user.name=Ada", "user.email=ada@example.org", "core.autocrlf=false", "gc.auto=0"];
  await run("git", [...settings.flatMap((setting) => ["-c", setting]), ...args], {
    cwd: root,
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    maxBuffer: 64 * 1024 * 1024,
  });
}

/**
 * A repository with the branches `main` and `other`, on `main`: most files differ between the two, some exist in one
 * only, some folders, too. Returns the paths of both.
 */
export async function twoBranches(root: string, files: number): Promise<readonly string[]> {
  const pathOf = (n: number): string => join(root, `folder-${n % 60}`, `part-${n % 7}`, `file-${n}.ts`);
  const write = async (branch: string, keep: (n: number) => boolean): Promise<void> => {
    for (let n = 0; n < files; n += 1) {
      if (!keep(n)) continue;
      mkdirSync(dirname(pathOf(n)), { recursive: true });
      writeFileSync(pathOf(n), `${branch} ${n}`);
    }
    await git(root, "add", "-A");
    await git(root, "commit", "-qm", branch);
  };
  await git(root, "init", "-q", "-b", "main");
  await write("main", (n) => n % 60 !== 1);
  await git(root, "checkout", "-q", "--orphan", "other");
  await git(root, "rm", "-rqf", ".");
  await write("other", (n) => n % 60 !== 2 && n % 11 !== 0);
  await git(root, "checkout", "-qf", "main");
  return Array.from({ length: files }, (_, n) => pathOf(n));
}
