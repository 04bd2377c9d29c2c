import type { ObjectStore } from "@cm/object-model";
import { type ExportOptions, exportBundle, type OpenBundle } from "../../src/index.ts";

/** A whole bundle in memory. */
export async function bundleOf(store: ObjectStore, session: string, options?: ExportOptions): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of exportBundle(store, session, options)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Gives bytes again and again, in pieces of some length. */
export function opening(bytes: Uint8Array, pieceBytes = 65_536): OpenBundle {
  return async function* () {
    for (let from = 0; from < bytes.length; from += pieceBytes) yield bytes.subarray(from, from + pieceBytes);
  };
}
