import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * The name by which the filesystem knows a path, links followed; of what is not there yet, that of the nearest folder that
 * is, with the rest of the path. Undefined where it cannot be found out.
 */
export function realPath(path: string): string | undefined {
  const rest: string[] = [];
  for (let place = path; ; place = dirname(place)) {
    try {
      return join(realpathSync.native(place), ...rest);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // A link that leads nowhere is not there by this name either: writing to it would write elsewhere.
      if (code !== "ENOENT" || isLink(place) || dirname(place) === place) return undefined;
      rest.unshift(basename(place));
    }
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}
