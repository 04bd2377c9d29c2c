import { createReadStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { cliError } from "../errors.ts";
import { limits } from "../limits.ts";
import { fileError } from "../output/write-file.ts";
import { onInterrupt } from "../signals.ts";

/** Bytes that can be read from their beginning as often as one likes. */
export interface Spool {
  open(): AsyncIterable<Uint8Array>;
  remove(): void;
}

/** A file of the user's. @throws CmError `cli/file` when it is read */
export function fileSpool(path: string): Spool {
  return { open: () => readFile(path), remove: () => {} };
}

/**
 * The input of a pipe, kept in a folder that only this user may enter, because it is read more than once.
 * @throws CmError `cli/refused` past `limits.spoolBytesMax`, `cli/file`
 */
export async function spooled(input: Readable): Promise<Spool> {
  const folder = mkdtempSync(join(tmpdir(), "cm-import-"));
  const take = () => rmSync(folder, { recursive: true, force: true });
  const forget = onInterrupt(take);
  const remove = () => {
    take();
    forget();
  };
  const path = join(folder, "bundle");
  try {
    // At once: a file that comes while an interruption takes the folder away keeps the folder.
    writeFileSync(path, "", { flag: "wx", mode: 0o600 });
    await copyTo(path, input);
  } catch (error) {
    remove();
    throw error;
  }
  return { open: () => readFile(path), remove };
}

async function copyTo(path: string, input: Readable): Promise<void> {
  const file = await open(path, "r+");
  try {
    let bytes = 0;
    for await (const chunk of input as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes > limits.spoolBytesMax) {
        throw cliError("cli/refused", "What comes through standard input is too large for a bundle; name a file.", {
          bound: limits.spoolBytesMax,
        });
      }
      await file.writeFile(chunk);
    }
  } finally {
    await file.close();
  }
}

async function* readFile(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw fileError("read", path, error);
  }
}
