import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { limits } from "../limits.ts";

export interface WriterProcess {
  /** A program for Node that prints one line for each write that was acknowledged, at once. */
  readonly script: string;
  readonly args: readonly string[];
  readonly kill?: KillMoment;
  /** Told how many lines there are, with each piece of its output. */
  readonly onLines?: (count: number) => void;
}

/** SIGKILL when this many lines are there, or from the beginning for none, and then some time. */
export interface KillMoment {
  readonly afterLines: number;
  readonly andMs: number;
}

export interface WriterEnd {
  /** What it printed, line by line, whole lines only: what a killed one was printing counts as not said. */
  readonly lines: readonly string[];
  /** Null where it was killed. */
  readonly exitCode: number | null;
  readonly stderr: string;
}

/** Runs a process of its own that writes to a shared store, to its end or to its kill. */
export async function runWriter({ script, args, kill, onLines }: WriterProcess): Promise<WriterEnd> {
  const child = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const timer = kill?.afterLines === 0 ? setTimeout(() => child.kill("SIGKILL"), kill.andMs) : undefined;
  const lines: string[] = [];
  let rest = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts);
    onLines?.(lines.length);
    if (kill !== undefined && kill.afterLines > 0 && lines.length >= kill.afterLines) {
      killAt(child, performance.now() + kill.andMs);
    }
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-limits.writerErrorCharsMax);
  });
  const [exitCode] = await once(child, "close");
  clearTimeout(timer);
  return { lines, exitCode, stderr };
}

/** Waits by spinning: a timer is too coarse to hit a transaction of a millisecond at every place. */
function killAt(child: ChildProcess, moment: number): void {
  if (child.killed) return;
  while (performance.now() < moment) {}
  child.kill("SIGKILL");
}
