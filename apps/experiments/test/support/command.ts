import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface CommandResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built command. */
export const cli = join(import.meta.dirname, "../../dist/cli.js");

/** Runs the built command as a user would, in a folder. */
export function run(folder: string, ...args: readonly string[]): CommandResult {
  return runWith({}, folder, ...args);
}

/** The same with variables of its own. */
export function runWith(variables: NodeJS.ProcessEnv, folder: string, ...args: readonly string[]): CommandResult {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, CM_CALLER_FOLDER: folder, NO_COLOR: "1", ...variables },
    maxBuffer: 2 ** 26,
  });
  return { status, stdout, stderr };
}

export interface CommandLine {
  readonly folder: string;
  readonly args: readonly string[];
}

/** Command lines that run one after the other in one process, for what none of them has to be a program of its own. */
export function runAll(lines: readonly CommandLine[]): readonly CommandResult[] {
  const script = join(import.meta.dirname, "several-commands.ts");
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, cli], {
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
    input: JSON.stringify(lines),
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** A folder that is gone after the work. */
export async function inFolder<T>(work: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "cm-experiments-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
