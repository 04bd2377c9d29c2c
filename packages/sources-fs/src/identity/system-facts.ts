import { execFileSync } from "node:child_process";
import { closeSync, openSync, readSync } from "node:fs";
import { hostname } from "node:os";
import { limits } from "../limits.ts";
import type { SystemFacts } from "./machine-id.ts";

/** The facts of the machine that this process can read. */
export function systemFacts(): SystemFacts {
  return { platform: process.platform, hostname: hostname(), readFile, run };
}

/** Files of `/proc` have no size, so this reads until the end, or until there is too much of it. */
function readFile(path: string): string | undefined {
  let handle: number | undefined;
  try {
    handle = openSync(path, "r");
    const chunks: Buffer[] = [];
    let bytes = 0;
    for (;;) {
      const chunk = Buffer.allocUnsafe(64 * 1024);
      const count = readSync(handle, chunk, 0, chunk.length, null);
      if (count === 0) return Buffer.concat(chunks).toString("utf8");
      bytes += count;
      if (bytes > limits.factsCharsMax) return undefined;
      chunks.push(chunk.subarray(0, count));
    }
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

function run(command: string, args: readonly string[]): string | undefined {
  try {
    return execFileSync(command, args, {
      encoding: "utf8",
      timeout: limits.commandMs,
      maxBuffer: limits.factsCharsMax,
      stdio: ["ignore", "pipe", "ignore"],
      windowsHide: true,
    });
  } catch {
    return undefined;
  }
}
