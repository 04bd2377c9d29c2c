import { isUtf8 } from "node:buffer";
import { createHash, hash } from "node:crypto";
import { type BigIntStats, fstatSync, readSync } from "node:fs";
import { fileLimits as limits } from "../limits.ts";
import { attributesHash, factsOf, type StatFacts, sameFacts } from "../sweep/stat-facts.ts";
import type { Slabs } from "./slabs.ts";

export interface ReadBounds {
  readonly contentBytesMax: number;
  /** When the look began, in milliseconds since the epoch. */
  readonly scanStartMs: number;
  /** Whether the caller no longer waits. */
  readonly stopped: () => boolean;
  readonly slabs: Slabs;
}

type Content =
  /** Valid UTF-8, in room that was reserved. */
  { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly withheld: "binary" | "too_large" };

export type WholeFile = Content & { readonly sourceHash: string; readonly facts: StatFacts };

/**
 * Reads an open regular file once: its bytes are hashed, and are text if they are valid UTF-8 (SSOT 2.2). Only bytes
 * between two equal looks at the attributes count. A file that grows while it is read does not pass the bound.
 * Undefined: the file changed meanwhile, or the caller no longer waits.
 */
export function readFile(fd: number, stat: BigIntStats, bounds: ReadBounds): WholeFile | undefined {
  const facts = factsOf(stat, bounds.scanStartMs);
  if (stat.size > BigInt(limits.hashedBytesMax)) {
    return { sourceHash: attributesHash(facts), withheld: "too_large", facts };
  }
  const size = Number(stat.size);
  const read = size > bounds.contentBytesMax ? hashed(fd, size, bounds) : whole(fd, size, bounds);
  if (read === undefined || !sameFacts(fstatSync(fd, { bigint: true }), facts)) return undefined;
  return { ...read, facts };
}

function whole(
  fd: number,
  size: number,
  { slabs, stopped }: ReadBounds,
): (Content & { sourceHash: string }) | undefined {
  // One byte more than there should be: a file that grew shows it.
  const room = slabs.reserve(size + 1);
  let length = 0;
  while (length <= size) {
    const read = readSync(fd, room, length, Math.min(size + 1 - length, limits.pieceBytes), length);
    if (read === 0) break;
    length += read;
    if (length < size && stopped()) return undefined;
  }
  if (length !== size) return undefined;
  const bytes = room.subarray(0, size);
  const sourceHash = hash("sha256", bytes, "hex");
  return isUtf8(bytes) ? { sourceHash, bytes } : { sourceHash, withheld: "binary" };
}

function hashed(
  fd: number,
  size: number,
  { slabs, stopped }: ReadBounds,
): (Content & { sourceHash: string }) | undefined {
  const room = slabs.reserve(limits.pieceBytes);
  const sum = createHash("sha256");
  for (let length = 0; length < size; ) {
    const read = readSync(fd, room, 0, room.length, length);
    if (read === 0 || stopped()) return undefined;
    sum.update(room.subarray(0, read));
    length += read;
  }
  return { sourceHash: sum.digest("hex"), withheld: "too_large" };
}
