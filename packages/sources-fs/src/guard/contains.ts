import { fileLimits as limits } from "../limits.ts";
import { below } from "../mounts/normal-path.ts";

/** Whether a normal path is a normal folder or inside it, on whole components. */
export function contains(folder: string, path: string): boolean {
  return below(path, folder) !== undefined;
}

/** A part that a canonical path never has: an empty one, `.` or `..`, a slash at its end. */
const unusual = /\/(?:\.{0,2})(?:\/|$)/;

/** Whether a text can be a canonical path at all: absolute, normal, without NUL, of bearable length. */
export function isCanonical(path: string): boolean {
  return (
    path.length <= limits.pathCharsMax &&
    path.startsWith("/") &&
    (path === "/" || !unusual.test(path)) &&
    !path.includes("\0") &&
    path.isWellFormed()
  );
}
