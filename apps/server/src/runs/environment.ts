import { realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import type { FilesystemBinding, Source } from "@cm/object-model";
import { createFilesystemSource, type Relocation } from "@cm/sources-fs";
import type { BindAll } from "../agent/touched-files.ts";
import { serverError } from "../errors.ts";
import { limits } from "../limits.ts";

/** The folders of a run, in order: the first is its working folder. None: a conversation without files. */
export interface Environment {
  readonly folders: readonly string[];
}

/** The files of one run, open. */
export interface RunFiles {
  readonly cwd: string | undefined;
  readonly source: Source<FilesystemBinding> | undefined;
  readonly bindAll: BindAll;
  close(): Promise<void>;
}

/**
 * The folders that a request, a preset or an earlier run names, as they are on disk.
 * @param roots the folders below which the server works, as they are on disk
 * @throws CmError `server/unknown-folder`
 */
export function environmentOf(folders: readonly string[], roots: readonly string[]): Environment {
  if (folders.length > limits.foldersMax) throw unknown(`An environment has at most ${limits.foldersMax} folders.`);
  const [base = "/"] = roots;
  const found = folders.map((folder, place) => {
    const path = realFolder(isAbsolute(folder) ? folder : resolve(base, folder));
    // One answer for what is not there and for what may not be seen: asking tells nothing.
    if (path !== undefined && roots.some((root) => isWithin(root, path))) return path;
    throw unknown(
      `Folder ${place + 1} of the environment is not there, or not below a folder of this server (--root).`,
    );
  });
  return { folders: [...new Set(found)] };
}

function realFolder(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

export function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || !(way === ".." || way.startsWith("../") || isAbsolute(way));
}

const unknown = (message: string) => serverError("server/unknown-folder", message);

/** Follows the files below the folders. @param origin whose files the folders of a fork stand for */
export function openFiles({ folders }: Environment, origin: readonly Relocation[] = []): RunFiles {
  const [cwd] = folders;
  if (cwd === undefined) return { cwd, source: undefined, bindAll: async () => [], close: async () => {} };
  const source = createFilesystemSource({ roots: [...folders], relocations: origin });
  return {
    ...{ cwd, source },
    bindAll: (paths) => source.bindAll(paths, cwd),
    close: () => source.close(),
  };
}
