import { spawn } from "node:child_process";

const limits = {
  /** For npm, with a slow network. */
  npmMs: 300_000,
  /** The part of a program's output in the message of a failure. */
  tailChars: 3_000,
} as const;

/** npm's own patience without a network is minutes. */
const impatient = [
  ...["--loglevel=error", "--no-update-notifier", "--fetch-timeout=60000"],
  ...["--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=2000"],
];

export interface ProgramResult {
  /** Null where it could not be started or ran too long. */
  readonly code: number | null;
  /** All that it printed. */
  readonly output: string;
}

/** npm with the registry that it is configured to use. */
export function runNpm(args: readonly string[], cwd: string): Promise<ProgramResult> {
  return runProgram("npm", [...args, ...impatient], cwd);
}

export async function runProgram(program: string, args: readonly string[], cwd: string): Promise<ProgramResult> {
  // Through a shell on Windows, since npm is a script there.
  const child = spawn(program, args, {
    ...{ cwd, stdio: ["ignore", "pipe", "pipe"], timeout: limits.npmMs, shell: process.platform === "win32" },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-limits.tailChars);
    });
  }
  const code = await new Promise<number | null>((resolve) => {
    child.on("error", (error) => {
      output += error.message;
      resolve(null);
    });
    child.on("close", resolve);
  });
  return { code, output };
}
