import { constants, lstatSync, mkdirSync, readFileSync, rmSync, type Stats, unlinkSync, writeFileSync } from "node:fs";
import { cp, lstat } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { isDocumentOf, type ObjectStore, type StepAddress, sha256 } from "@cm/object-model";
import { objectAt, sessionAt } from "@cm/session";
import { createFilesystemSource } from "@cm/sources-fs";
import { z } from "zod";
import { serverError } from "../errors.ts";
import { limits } from "../limits.ts";
import { isWithin } from "./environment.ts";

/** Where folders of forks lie here, and whose files they stand for: kept beside them. */
const originSchema = z.array(
  z.object({ filesystemId: z.string(), canonicalPrefix: z.string(), localPrefix: z.string() }),
);
export type Origin = z.infer<typeof originSchema>;

export interface ForkedFolders {
  readonly store: ObjectStore;
  /** The snapshot: files are as its session had them in sight. */
  readonly at: StepAddress;
  /** Of the run that is forked, in order. */
  readonly folders: readonly string[];
  /** A folder for this fork alone; it is made. */
  readonly place: string;
}

/**
 * Copies folders and brings the files that a session knew to what they were after a step. Other files are as they are. A
 * file system that shares blocks between copies makes them without reading.
 * @returns the new folders, in order @throws CmError `server/unknown-folder`; nothing is left behind then
 */
export async function forkFolders({ store, at, folders, place }: ForkedFolders): Promise<readonly string[]> {
  if (folders.some((folder) => isWithin(folder, place)))
    throw unusable("The folder of forks lies in a folder that is to be forked; start the server with another --forks.");
  mkdirSync(place, { recursive: true, mode: 0o700 });
  try {
    const copies = folders.map((folder, n) => join(place, `${n + 1}-${basename(folder)}`));
    const bound = { files: 0, bytes: 0 };
    for (const [n, folder] of folders.entries()) await copy(folder, copies[n] ?? place, bound);
    await restore({ store, at, folders }, copies);
    writeFileSync(join(place, originFile), JSON.stringify(await originOf(folders, copies)));
    return copies;
  } catch (error) {
    rmSync(place, { recursive: true, force: true });
    throw error;
  }
}

async function copy(from: string, to: string, bound: { files: number; bytes: number }): Promise<void> {
  await cp(from, to, {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    filter: async (path) => {
      const facts = await lstat(path);
      bound.files += 1;
      bound.bytes += facts.isFile() ? facts.size : 0;
      if (bound.files > limits.forkedFilesMax || bound.bytes > limits.forkedBytesMax)
        throw unusable("The folders are larger than a fork may copy; name folders of its own with project_ids.");
      return facts.isFile() || facts.isDirectory() || facts.isSymbolicLink();
    },
  });
}

/** Text that was redacted is not what was in the file, and a version without text says nothing of it: both stay as they are. */
async function restore(
  { store, at, folders }: Pick<ForkedFolders, "store" | "at" | "folders">,
  copies: readonly string[],
): Promise<void> {
  const { objects } = await sessionAt(store, at);
  for (const { id, kind, path } of objects) {
    if (kind !== "file" || path === undefined) continue;
    const n = folders.findIndex((folder) => isWithin(folder, path));
    const [folder, copied] = [folders[n], copies[n]];
    if (folder === undefined || copied === undefined) continue;
    const document = (await objectAt(store, at, id))?.document;
    if (document === undefined || !isDocumentOf(document, "file")) continue;
    const place = join(copied, relative(folder, path));
    if (document.content !== null && (document.redactions ?? 0) === 0) write(place, document.content);
    else if (document.null_reason === "deleted" && isFile(place)) unlinkSync(place);
  }
}

/** A link could lead out of the copy: what is no plain file is let be. */
function write(path: string, text: string): void {
  const facts = factsOf(path);
  if (facts === undefined) mkdirSync(dirname(path), { recursive: true });
  else if (!facts.isFile() || sha256(readFileSync(path)) === sha256(text)) return;
  writeFileSync(path, text);
}

const factsOf = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false });
const isFile = (path: string): boolean => factsOf(path)?.isFile() === true;

const originFile = "origin.json";

/** By it a session finds the files that it knew in the folders of its fork, also over several forks. */
async function originOf(folders: readonly string[], copies: readonly string[]): Promise<Origin> {
  const origin: Origin[number][] = [];
  const source = createFilesystemSource({ roots: [...folders] });
  try {
    for (const [n, { filesystemId, path }] of (await source.bindAll([...folders])).entries()) {
      const localPrefix = copies[n] ?? "";
      const earlier = readOrigin(folders[n] ?? "").filter((one) => one.localPrefix === folders[n]);
      origin.push(
        { filesystemId, canonicalPrefix: path, localPrefix },
        ...earlier.map((one) => ({ ...one, localPrefix })),
      );
    }
    return origin;
  } finally {
    await source.close();
  }
}

/** Whose files a folder of a fork stands for; nothing for any other folder. */
export function readOrigin(folder: string): Origin {
  try {
    const read = originSchema.safeParse(JSON.parse(readFileSync(join(dirname(folder), originFile), "utf8")));
    return read.success ? read.data : [];
  } catch {
    return [];
  }
}

const unusable = (message: string) => serverError("server/unknown-folder", message);
