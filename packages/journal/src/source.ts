import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { CmError, isCmError } from "@cm/object-model";
import { limits } from "./limits.ts";

/** A path, or the bytes themselves in pieces of any size. */
export type JournalSource = string | AsyncIterable<Uint8Array>;

/** The name of a source in errors: the base name without control characters, never the folder. */
export function sourceName(source: JournalSource): string {
  if (typeof source !== "string") return "the given bytes";
  const name = basename(source).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?");
  if (name === "") return "the given path";
  const characters = [...name];
  return characters.length > limits.nameCharsMax ? `${characters.slice(0, limits.nameCharsMax).join("")}…` : name;
}

/**
 * The bytes of a source, piece by piece. This is the only place of the package that touches a disk, and it only reads.
 * @throws CmError `journal/unreadable`; data: file, reason (the system's code, such as ENOENT or EISDIR).
 */
export async function* bytesOf(source: JournalSource): AsyncGenerator<Uint8Array> {
  try {
    const chunks = typeof source === "string" ? createReadStream(source, { highWaterMark: limits.chunkBytes }) : source;
    for await (const chunk of chunks) {
      if (!(chunk instanceof Uint8Array)) throw unreadable(source, "not bytes");
      yield chunk;
    }
  } catch (cause) {
    if (isCmError(cause)) throw cause;
    throw unreadable(source, reasonOf(cause), cause);
  }
}

function reasonOf(cause: unknown): string {
  const code = typeof cause === "object" && cause !== null ? (cause as { code?: unknown }).code : undefined;
  return typeof code === "string" && /^[A-Z0-9_]{1,40}$/.test(code) ? code : "unknown";
}

function unreadable(source: JournalSource, reason: string, cause?: unknown): CmError<"journal/unreadable"> {
  const file = sourceName(source);
  const message = `${file} cannot be read (${reason}); check the path and its permissions.`;
  return new CmError("journal/unreadable", message, { file, reason }, { cause });
}
