import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { StateStore } from "./contract.ts";
import { type Blobs, stateStoreOver } from "./run-blobs.ts";

export interface FileStateStoreOptions {
  /** The folder; made where it is missing. */
  readonly dataDir: string;
  /** Keeps several stores below one folder apart, such as `team/project`. */
  readonly prefix?: string;
}

/**
 * States as files, `{dataDir}/[prefix/]sessions/{id}/state.json`. A file appears whole: it is written beside its place,
 * brought to the disk, and renamed. Readable by the owner of the process alone.
 */
export function createFileStateStore({ dataDir, prefix }: FileStateStoreOptions): StateStore {
  return stateStoreOver(new Files(resolve(dataDir)), prefix);
}

class Files implements Blobs {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async put(key: string, text: string): Promise<void> {
    const path = join(this.#root, key);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const beside = `${path}.${randomUUID()}.tmp`;
    try {
      const file = await open(beside, "wx", 0o600);
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(beside, path);
    } catch (error) {
      await rm(beside, { force: true });
      throw error;
    }
    await syncFolder(dirname(path));
  }

  async get(key: string, bytesMax: number): Promise<string | undefined> {
    const path = join(this.#root, key);
    try {
      const { size } = await stat(path);
      if (size > bytesMax) throw new RangeError("The file is larger than any that is written.");
      return await readFile(path, "utf8");
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async remove(keys: readonly string[]): Promise<void> {
    for (const key of keys) await rm(join(this.#root, key), { force: true });
    for (const folder of new Set(keys.map((key) => dirname(join(this.#root, key))))) {
      // Something of a writer that was cut off may be in it.
      await rmdir(folder).catch(() => {});
    }
  }
}

/** A rename is on the disk once its folder is. Windows has no such thing. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
