import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { IncomingUser, StepRecord } from "@cm/context-log";
import type { FilesystemSource } from "@cm/sources-fs";

/** A long session: every call reads a file that the session never saw, so that objects grow as fast as they can. */
export const shape = { callsPerPrompt: 5, linesPerFile: 30, filesPerFolder: 100 };

/** The text of a file, other for each of them, about 1.5 KB. Versions differ in every tenth line. */
export function fileText(n: number, version = 0): string {
  return Array.from(
    { length: shape.linesPerFile },
    (_, line) =>
      `export const value${n}_${line} = compute(${n * 31 + line * 7}, "${line % 10 === 0 ? version : 0}", ${line});\n`,
  ).join("");
}

export function filePath(n: number): string {
  return `part-${Math.floor(n / shape.filesPerFolder)}/module-${n}.ts`;
}

export function writeFiles(root: string, numbers: Iterable<number>, version = 0): void {
  for (const n of numbers) {
    const path = join(root, filePath(n));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, fileText(n, version));
  }
}

export function promptBefore(n: number): readonly IncomingUser[] {
  return n % shape.callsPerPrompt === 0 ? [{ role: "user", text: `Read on: the next part begins with ${n}.` }] : [];
}

/** The answer that reads file `n`, with its result. */
export async function stepOf(n: number, root: string, source: Pick<FilesystemSource, "bind">): Promise<StepRecord> {
  const path = join(root, filePath(n));
  const binding = await source.bind(path, root);
  return {
    answer: {
      role: "assistant",
      text: `Next is module ${n}.`,
      calls: [{ callId: `call_${n}`, tool: "read", args: { path } }],
    },
    results: [
      { role: "tool", callId: `call_${n}`, text: fileText(n), failed: false, files: [{ binding, as: "read" }] },
    ],
  };
}
