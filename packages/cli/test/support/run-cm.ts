import { spawnSync } from "node:child_process";
import { join } from "node:path";

export interface CommandResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built command. */
export const cm = join(import.meta.dirname, "../../dist/cm.js");

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string | Uint8Array;
  /** The Node that runs it. Default: the one that runs the test. */
  readonly node?: string;
}

/** Of this machine's environment: where programs are, and where Node keeps compiled code. */
export const bare: NodeJS.ProcessEnv = {
  PATH: process.env.PATH,
  HOME: "/nonexistent",
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
};

/** Runs the built command as a user would. Nothing of this machine's own settings reaches it. */
export function runCm(
  args: readonly string[],
  { cwd, env = {}, input, node = process.execPath }: RunOptions = {},
): CommandResult {
  const { status, stdout, stderr } = spawnSync(node, [cm, ...args], {
    ...(cwd === undefined ? {} : { cwd }),
    encoding: "utf8",
    env: { ...bare, ...env },
    input: input ?? "",
    maxBuffer: 2 ** 26,
  });
  return { status, stdout, stderr };
}

/** What a program reads: one JSON value a line. */
export function jsonLines(text: string): readonly unknown[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
