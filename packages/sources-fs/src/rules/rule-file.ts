import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from "node:fs";
import { ruleLimits } from "../limits.ts";

/** The rules of a .gitignore or exclude file. `unusable`: the file exists, but its rules are unknown. */
export type RuleFile = { readonly lines: readonly string[] } | "unusable";

/** Changes whenever the file does; empty where there is none that counts. */
export function ruleFileStamp(path: string): string {
  const stats = entryAt(path);
  // Git follows no link to a .gitignore either, and a FIFO must not be opened.
  return stats?.isFile() ? `${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}` : "";
}

/** The entry at the path, without following links; undefined if it is missing or not readable. */
export function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

export function readRuleFile(path: string): RuleFile {
  const text = readBounded(path, ruleLimits.ruleFileBytesMax);
  if (text === undefined) return "unusable";
  const lines = text.replace(/^\uFEFF/, "").split("\n");
  if (lines.length > ruleLimits.ruleLinesMax) return "unusable";
  return { lines: lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line)) };
}

/** The text of a regular file of at most so many bytes, or undefined. */
export function readBounded(path: string, bytesMax: number): string | undefined {
  let handle: number | undefined;
  try {
    handle = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    if (!fstatSync(handle).isFile()) return undefined;
    const bytes = Buffer.alloc(Math.min(fstatSync(handle).size, bytesMax) + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(handle, bytes, length, bytes.length - length, null);
    }
    return length > bytesMax ? undefined : bytes.toString("utf8", 0, length);
  } catch {
    return undefined;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
