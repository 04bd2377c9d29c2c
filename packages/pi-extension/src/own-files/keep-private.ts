import { chmodSync, lstatSync } from "node:fs";
import type { OwnFile } from "./own-files.ts";

/** Something of ours that other users of the machine may read, write or enter. */
export interface OpenToOthers extends OwnFile {
  /** Its permission bits. */
  readonly mode: number;
}

/** A folder must be entered, a file only read and written. */
const wanted = { file: 0o600, folder: 0o700 } as const;

/** Those of them that are there, belong to this user, and are open to others. Links are not ours; Windows has no modes. */
export function openToOthers(files: readonly OwnFile[]): readonly OpenToOthers[] {
  const user = process.getuid?.();
  if (user === undefined) return [];
  return files.flatMap((file) => {
    const found = statOf(file.path);
    const isRight = file.kind === "file" ? found?.isFile() : found?.isDirectory();
    if (found === undefined || isRight !== true || found.uid !== user) return [];
    const mode = found.mode & 0o777;
    return (mode & 0o077) === 0 ? [] : [{ ...file, mode }];
  });
}

/** Takes others' rights to them away. Never throws; gives those that it could not close. */
export function keepPrivate(files: readonly OwnFile[]): readonly OpenToOthers[] {
  for (const { path, kind } of openToOthers(files)) {
    try {
      chmodSync(path, wanted[kind]);
    } catch {
      // A file system without modes, or one that is read-only. The doctor names it.
    }
  }
  return openToOthers(files);
}

function statOf(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
