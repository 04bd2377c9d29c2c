import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder in which nothing may be written, as on a CD. */
export interface ReadOnlyPlace {
  readonly path: string;
  remove(): void;
}

const isRoot = process.getuid?.() === 0;
const mount = (...args: readonly string[]): boolean => spawnSync("mount", args).status === 0;

/** Whether this machine can have one: modes do not bind root, who needs a mount. */
export function canBeReadOnly(): boolean {
  if (process.platform === "win32") return false;
  if (!isRoot) return true;
  const place = readOnlyPlace([]);
  place?.remove();
  return place !== undefined;
}

/** @returns undefined where it cannot be made */
export function readOnlyPlace(files: readonly string[]): ReadOnlyPlace | undefined {
  const path = mkdtempSync(join(tmpdir(), "cm-read-only #%? "));
  const remove = () => {
    if (isRoot) spawnSync("umount", [path]);
    else chmodSync(path, 0o700);
    rmSync(path, { recursive: true });
  };
  const isOwnPlace = !isRoot || mount("-t", "tmpfs", "-o", "size=8g", "cm", path);
  for (const file of isOwnPlace ? files : []) cpSync(file, join(path, file.slice(file.lastIndexOf("/") + 1)));
  if (!isRoot) chmodSync(path, 0o500);
  if (isOwnPlace && (!isRoot || mount("-o", "remount,ro", path))) return { path, remove };
  remove();
  return undefined;
}
