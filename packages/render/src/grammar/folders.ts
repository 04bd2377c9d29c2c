import { limits } from "../limits.ts";
import type { PoolMoreBlock } from "./block.ts";
import { boundedField } from "./field.ts";

/** How many objects lie below a folder. */
export interface FolderCount {
  readonly path: string;
  readonly objects: number;
}

/**
 * Paths counted by folder, as deep as `foldersMax` folders allow, in the order in which they come. Objects without a
 * path stand under the empty one.
 */
export function byFolder(paths: readonly string[]): readonly FolderCount[] {
  const folders = paths.map((path) => path.split("/").slice(0, -1));
  const deepest = folders.reduce((depth, folder) => Math.max(depth, folder.length), 0);
  for (let depth = deepest; ; depth -= 1) {
    const counts = new Map<string, number>();
    for (const folder of folders) {
      const path = folder.slice(0, depth).join("/");
      counts.set(path, (counts.get(path) ?? 0) + 1);
    }
    if (counts.size <= limits.foldersMax || depth === 0) {
      return [...counts].map(([path, objects]) => ({ path, objects }));
    }
  }
}

/** The line for such a folder. */
export function moreBlockOf({ path, objects }: FolderCount): PoolMoreBlock {
  return { kind: "pool-more", count: objects, ...(path === "" ? {} : { below: boundedField(path) }) };
}
