import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { join } from "node:path";

/** A file that results depend on, by a name that says nothing of the machine. */
export interface FileHash {
  readonly file: string;
  readonly sha256: string;
}

/** SHA-256 of a file's bytes, in hex; one piece in memory at a time. @throws as reading the file does */
export async function hashOfFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest("hex");
}

/** The files of an experiment, by their names below its folder, in order of these names. */
export async function hashOfFiles(folder: string, files: readonly string[]): Promise<readonly FileHash[]> {
  const hashes: FileHash[] = [];
  for (const file of [...new Set(files)].sort()) hashes.push({ file, sha256: await hashOfFile(join(folder, file)) });
  return hashes;
}
