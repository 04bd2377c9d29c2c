import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Whether programs are on the PATH, for a requirement that names them: `unshare` may be there, and `chroot` not. */
export function hasPrograms(...names: readonly string[]): boolean {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return names.every((name) => folders.some((folder) => isExecutable(join(folder, name))));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
