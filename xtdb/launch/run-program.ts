import { spawn } from "node:child_process";
import { nodeLimits } from "./limits.ts";

export interface Ended {
  readonly outcome: "ended" | "missing" | "too-slow" | "aborted";
  readonly code: number | null;
  /** The end of what it printed, stdout and stderr as they came. */
  readonly output: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Runs a program to its end, within a limit, and keeps the end of its output. Never throws. */
export function runProgram(executable: string, args: readonly string[], options: RunOptions): Promise<Ended> {
  const { cwd, env, timeoutMs, signal } = options;
  return new Promise((resolve) => {
    let output = "";
    let outcome: Ended["outcome"] = "ended";
    const child = spawn(executable, args, {
      stdio: ["ignore", "pipe", "pipe"],
      ...(cwd === undefined ? {} : { cwd }),
      ...(env === undefined ? {} : { env }),
    });
    const end = (why: "too-slow" | "aborted"): void => {
      outcome = why;
      child.kill("SIGKILL");
    };
    const abort = (): void => end("aborted");
    const timer = setTimeout(end, timeoutMs, "too-slow");
    signal?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted) abort();
    const finish = (code: number | null): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      resolve({ outcome, code, output });
    };
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output = (output + text).slice(-nodeLimits.outputCharactersMax);
      });
    }
    child.on("error", () => {
      if (outcome === "ended") outcome = "missing";
      // A program that never started has no `close` event.
      if (child.pid === undefined) finish(null);
    });
    child.on("close", finish);
  });
}

/** The last lines of an output, for an error that has to explain itself. */
export function lastLines(output: string, count = 5): string {
  return output.trimEnd().split("\n").slice(-count).join("\n");
}
