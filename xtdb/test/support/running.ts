import { readFileSync } from "node:fs";
import { expect, onTestFinished } from "vitest";
import { type StartOptions, startNode, type XtdbNode } from "../../launch/index.ts";

/** A small node for this test, gone when the test is over. */
export async function runNode(options: StartOptions = {}): Promise<XtdbNode> {
  const node = await startNode({ quick: true, ...options });
  onTestFinished(() => node.kill());
  return node;
}

/** Whether a process is there and not only an uncollected entry. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    // A container's first process may not collect orphans: those stay as zombies.
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return process.platform !== "linux";
  }
}

/** Resolves when the process is gone. */
export const ended = (pid: number): Promise<void> => expect.poll(() => isRunning(pid)).toBe(false);
