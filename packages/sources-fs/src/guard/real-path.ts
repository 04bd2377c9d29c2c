import { realpathSync } from "node:fs";
import { joined, parentOf } from "../mounts/normal-path.ts";
import { failureOf } from "../reasons.ts";

/**
 * The real path of a normal path. Of one that does not exist: that of its deepest existing parent, and the rest. Where
 * even that cannot be told (no permission, a loop of links), the path as it is.
 */
export function realPath(path: string): string {
  let rest = "";
  for (let folder: string | undefined = path; folder !== undefined; folder = parentOf(folder)) {
    try {
      return joined(realpathSync.native(folder), rest);
    } catch (error) {
      if (!("missing" in failureOf(error))) return path;
    }
    const parent = parentOf(folder) ?? "";
    rest = `${folder.slice(parent === "/" ? 0 : parent.length)}${rest}`;
  }
  return path;
}
