import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { sha256 } from "@cm/object-model";
import { limits } from "../limits.ts";
import { liveError } from "../live-error.ts";

/** Files by their path below a folder, with `/`. */
export type FileTree = ReadonlyMap<string, Uint8Array>;

/** All files below a folder, in order of their paths; none where it is absent. @throws CmError `live/usage` past a bound */
export async function readTree(folder: string): Promise<FileTree> {
  const paths: string[] = [];
  const open = [{ path: "", depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.depth > limits.taskDepthMax) throw tooLarge(folder, "taskDepthMax");
    for (const entry of await entriesOf(join(folder, next.path))) {
      const path = next.path === "" ? entry.name : `${next.path}/${entry.name}`;
      if (entry.isFile()) paths.push(path);
      if (entry.isDirectory()) open.push({ path, depth: next.depth + 1 });
      if (paths.length > limits.taskFilesMax) throw tooLarge(folder, "taskFilesMax");
    }
  }
  const tree = new Map<string, Uint8Array>();
  let bytesLeft: number = limits.taskBytesMax;
  // By code units: the order of a locale would differ between machines, and with it the hash.
  for (const path of paths.sort()) {
    bytesLeft -= (await stat(join(folder, path))).size;
    if (bytesLeft < 0) throw tooLarge(folder, "taskBytesMax");
    tree.set(path, await readFile(join(folder, path)));
  }
  return tree;
}

/** Writes files below a folder without other writers. */
export async function writeTree(tree: FileTree, folder: string): Promise<void> {
  for (const [path, bytes] of tree) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
}

/** One hash for paths and bytes of all trees. */
export function hashTrees(trees: readonly FileTree[]): string {
  const lines = trees.map((tree) => [...tree].map(([path, bytes]) => [path, sha256(bytes)]));
  return sha256(JSON.stringify(lines));
}

async function entriesOf(folder: string) {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}

function tooLarge(folder: string, limit: "taskDepthMax" | "taskFilesMax" | "taskBytesMax") {
  return liveError("live/usage", `The files of ${folder} pass ${limit} (${limits[limit]}).`, { limit });
}
