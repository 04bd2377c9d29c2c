import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { visibleLine } from "@cm/terminal-text";
import { cliError } from "../errors.ts";
import { limits } from "../limits.ts";
import { onInterrupt } from "../signals.ts";

/**
 * Writes a file that appears under its name only when it is whole and on disk. Only its owner may read it, because it
 * holds the content of sessions.
 * @returns its bytes
 * @throws CmError `cli/file`, or what the chunks throw
 */
export async function writeWhole(path: string, chunks: AsyncIterable<Uint8Array>): Promise<number> {
  const partial = join(dirname(path), `.${basename(path)}.${randomBytes(4).toString("hex")}.partial`);
  const take = () => rmSync(partial, { force: true });
  const file = await onDisk(path, () => open(partial, "wx", 0o600));
  const forget = onInterrupt(take);
  try {
    let bytes = 0;
    for await (const chunk of chunks) {
      await onDisk(path, () => file.writeFile(chunk));
      bytes += chunk.byteLength;
    }
    await onDisk(path, async () => {
      await file.sync();
      await file.close();
      await rename(partial, path);
    });
    return bytes;
  } catch (error) {
    await file.close().catch(() => {});
    take();
    throw error;
  } finally {
    forget();
  }
}

/** @throws CmError `cli/file` */
async function onDisk<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fileError("written", path, error);
  }
}

/** The system's error about a user's file, as a sentence. */
export function fileError(done: "read" | "written", path: string, error: unknown) {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const why: Readonly<Record<string, string>> = {
    ENOENT: done === "read" ? "it is not there" : "its folder is not there",
    EACCES: "it may not be touched; check its permissions",
    EPERM: "it may not be touched; check its permissions",
    EROFS: "the disk is read-only",
    ENOSPC: "the disk is full",
    EISDIR: "it is a folder",
    ENOTDIR: "a part of its path is no folder",
  };
  const shown = visibleLine(path, limits.fieldCharsMax);
  return cliError("cli/file", `${shown} cannot be ${done}: ${why[code] ?? `the system says ${code}`}.`, { path, code });
}
