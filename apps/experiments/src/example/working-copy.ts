import type { Dirent } from "node:fs";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { noSources } from "./example-error.ts";
import { limits } from "./limits.ts";

export interface SourceFile {
  /** Relative to the working folder, with `/`. */
  readonly path: string;
  readonly chars: number;
  readonly lines: number;
}

const sourceExtensions = new Set(
  ".ts .mts .cts .tsx .js .mjs .cjs .jsx .json .md .txt .py .go .rs .java .c .h .sh .css .html .yaml .yml".split(" "),
);
const skippedFolders = new Set(["node_modules", "dist", "coverage"]);

/**
 * Copies the source files of a folder into an empty one, and lists them in the order of their paths. Links, dot files,
 * other kinds of files, and what passes the limits stay behind.
 * @throws CmError `example/no-sources`.
 */
export async function copySources(folder: string, into: string): Promise<readonly SourceFile[]> {
  const copied: SourceFile[] = [];
  let bytesLeft: number = limits.folderBytesMax;
  for (const path of await sourcePaths(folder)) {
    if (copied.length === limits.filesMax) break;
    const { size } = await stat(join(folder, path));
    if (size > Math.min(limits.fileBytesMax, bytesLeft)) continue;
    const bytes = await readFile(join(folder, path));
    if (bytes.includes(0)) continue;
    await mkdir(dirname(join(into, path)), { recursive: true });
    await writeFile(join(into, path), bytes);
    const text = bytes.toString("utf8");
    copied.push({ path, chars: text.length, lines: text.split("\n").length });
    bytesLeft -= bytes.length;
  }
  if (copied.length === 0) throw noSources(folder);
  return copied;
}

async function sourcePaths(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  const open = [{ path: "", depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const entry of await entriesOf(join(folder, next.path))) {
      const path = next.path === "" ? entry.name : `${next.path}/${entry.name}`;
      if (entry.isFile() && isSource(entry.name)) found.push(path);
      if (isSearched(entry) && next.depth < limits.folderDepthMax) open.push({ path, depth: next.depth + 1 });
    }
  }
  // By code units: the order of a locale would differ between machines.
  return found.sort();
}

/** A folder that is absent or may not be read is as good as an empty one. */
async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}

function isSource(name: string): boolean {
  return !name.startsWith(".") && sourceExtensions.has(extname(name));
}

function isSearched(entry: Dirent): boolean {
  return entry.isDirectory() && !entry.name.startsWith(".") && !skippedFolders.has(entry.name);
}
