import { dirname, resolve } from "node:path";
import { entryAt, readBounded } from "./rule-file.ts";

/** A `.git` file and `commondir` hold one path each. */
const pointerBytesMax = 8_192;

/** Whether the folder is the top of a git work tree, also of a linked one or a submodule. */
export function isWorkTreeTop(folder: string): boolean {
  const entry = entryAt(`${folder === "/" ? "" : folder}/.git`);
  return entry !== undefined && (entry.isDirectory() || entry.isFile());
}

/** The top of the work tree that the folder lies in, or undefined. */
export function enclosingWorkTree(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (isWorkTreeTop(at)) return at;
    if (at === dirname(at)) return undefined;
  }
}

/** Where the rules of this clone alone stand; linked work trees share them with the main one. */
export function excludeFile(top: string): string {
  return resolve(gitFoldersOf(top).common, "info/exclude");
}

/** The folder that holds a work tree's own `HEAD`, and the one that all work trees of its repository share. */
export function gitFoldersOf(top: string): { readonly own: string; readonly common: string } {
  const own = gitFolder(`${top === "/" ? "" : top}/.git`, top);
  return { own, common: commonFolder(own) };
}

function gitFolder(entry: string, top: string): string {
  if (entryAt(entry)?.isFile() !== true) return entry;
  const pointer = /^gitdir: ([^\n]+)/.exec(readBounded(entry, pointerBytesMax) ?? "")?.[1];
  return pointer === undefined ? entry : resolve(top, pointer.trimEnd());
}

function commonFolder(gitFolder: string): string {
  const pointer = `${gitFolder}/commondir`;
  if (entryAt(pointer)?.isFile() !== true) return gitFolder;
  return resolve(gitFolder, (readBounded(pointer, pointerBytesMax) ?? "").trim());
}
