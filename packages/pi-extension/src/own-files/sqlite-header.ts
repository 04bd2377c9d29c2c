import { closeSync, openSync, readSync } from "node:fs";

const magic = "SQLite format 3\0";
const headerBytes = 100;
/** Where the number stands that tells whose database it is. */
const applicationIdAt = 68;
/** "CMC1", as the state cache of `@cm/store-sqlite` has it. */
const stateCacheId = 0x434d4331;

/** What a file is by its first bytes. `empty`: SQLite takes it for a new database. */
export type FirstBytes = "none" | "empty" | "database" | "state-cache" | "other";

/** Never throws: what cannot be read is `none`. */
export function firstBytesOf(path: string): FirstBytes {
  const header = Buffer.alloc(headerBytes);
  const read = readInto(header, path);
  if (read === undefined) return "none";
  if (read === 0) return "empty";
  if (read < headerBytes || header.toString("latin1", 0, magic.length) !== magic) return "other";
  const id = header.readUInt32BE(applicationIdAt);
  // A young one has its number only in the log beside it.
  return id === stateCacheId || id === 0 ? "state-cache" : "database";
}

function readInto(header: Buffer, path: string): number | undefined {
  try {
    const file = openSync(path, "r");
    try {
      return readSync(file, header, 0, headerBytes, 0);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EISDIR" ? headerBytes : undefined;
  }
}
