import { createHash, randomUUID } from "node:crypto";
import * as disk from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

export interface StoredBlob {
  /** SHA-256 of the bytes, 64 hexadecimal digits. */
  readonly hash: string;
  readonly path: string;
  /** What stands in the session file in place of the bytes. */
  readonly ref: string;
}

/** What a reference begins with. */
export const blobPrefix = "blob:sha256:";
const reference = /^blob:sha256:([0-9a-f]{64})$/;

/** Bytes by their hash, one file each: the same bytes are kept once. */
export class BlobStore {
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  async put(bytes: Uint8Array): Promise<StoredBlob> {
    return this.putSync(bytes);
  }

  /** Written beside and renamed: a blob is there as a whole or not at all. */
  putSync(bytes: Uint8Array): StoredBlob {
    const hash = createHash("sha256").update(bytes).digest("hex");
    const path = join(this.dir, hash);
    const there = disk.statSync(path, { throwIfNoEntry: false });
    if (there?.size !== bytes.length) {
      disk.mkdirSync(this.dir, { recursive: true, mode: 0o700 });
      const beside = `${path}.${randomUUID()}.tmp`;
      try {
        disk.writeFileSync(beside, bytes, { mode: 0o600, flush: true });
        disk.renameSync(beside, path);
      } catch (error) {
        disk.rmSync(beside, { force: true });
        throw error;
      }
    }
    return { hash, path, ref: `${blobPrefix}${hash}` };
  }

  /** The bytes, or null where there are none under that hash. */
  async get(hash: string): Promise<Buffer | null> {
    if (!reference.test(`${blobPrefix}${hash}`)) return null;
    try {
      return await readFile(join(this.dir, hash));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw error;
    }
  }

  async has(hash: string): Promise<boolean> {
    return reference.test(`${blobPrefix}${hash}`) && disk.existsSync(join(this.dir, hash));
  }
}

export function isBlobRef(text: string): boolean {
  return text.startsWith(blobPrefix);
}

/** The hash that a reference names, or null where the text is none. */
export function parseBlobRef(text: string): string | null {
  return reference.exec(text)?.[1] ?? null;
}
