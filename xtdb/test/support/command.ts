import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Command {
  readonly process: ChildProcess;
  /** Resolves with the first match in what it prints; rejects when it ends without. */
  prints(pattern: RegExp): Promise<RegExpExecArray>;
  readonly finished: Promise<Finished>;
}

const program = join(import.meta.dirname, "../../launch/cli.ts");

export interface CommandOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Another copy of the program. */
  readonly script?: string;
}

/** Starts `npm run xtdb -- ARGS...` without npm. Killed, if need be, when the test is over. */
export function startCommand(args: readonly string[], options: CommandOptions = {}): Command {
  const { env = {}, cwd, script = program } = options;
  // `undefined` takes a variable away: what the machine sets must not change a test.
  const { CM_XTDB_TOKEN: _, CM_CALLER_FOLDER: __, CM_REQUIRE_ALL: ___, ...inherited } = process.env;
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...inherited, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    ...(cwd === undefined ? {} : { cwd }),
  });
  onTestFinished(() => {
    child.kill("SIGTERM");
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const finished = new Promise<Finished>((resolve) => {
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
  return {
    process: child,
    finished,
    prints: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const match = pattern.exec(stdout);
          if (match !== null) resolve(match);
        };
        child.stdout.on("data", look);
        child.on("close", () => reject(new Error(`ended without printing ${pattern}: ${stdout}${stderr}`)));
        look();
      }),
  };
}

/** Runs it to its end. */
export const runCommand = (args: readonly string[], options: CommandOptions = {}): Promise<Finished> =>
  startCommand(args, options).finished;
