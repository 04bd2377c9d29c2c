import {
  attachmentIdsOf,
  type Basis,
  charsIn,
  erasedObjectsAmong,
  inParts,
  type ObjectStore,
  ReadSize,
  type StoredVersion,
} from "@cm/object-model";
import type { ErasedLine, Unsummed, VersionLine } from "../format/lines.ts";

/** Lines between header and trailer, before they have their sums. */
export type ObjectLine = Unsummed<VersionLine> | Unsummed<ErasedLine>;

export function lineOf(version: StoredVersion & { readonly document: object }): Unsummed<VersionLine>;
export function lineOf(version: StoredVersion): Unsummed<VersionLine> | undefined;
export function lineOf({ document, validTime }: StoredVersion): Unsummed<VersionLine> | undefined {
  return document === undefined ? undefined : { at: validTime.getTime(), document, kind: "version" };
}

/** Objects that are written once, as they are; a mark where one was erased, or is not there. */
export async function* objectLines(
  store: ObjectStore,
  { ids, of, basis }: { readonly ids: Iterable<string>; readonly of: "toolcall" | "attachment"; readonly basis: Basis },
  attachments: Set<string> = new Set(),
): AsyncGenerator<ObjectLine> {
  const size = new ReadSize();
  for (const part of inParts([...ids], size)) {
    const found = await store.getMany(part, basis);
    size.follow(charsIn(found.values()), found.size);
    for (const id of part) {
      const version = found.get(id);
      if (version?.document === undefined || version.type !== of) {
        const isErased = version?.erased !== undefined || (await erasedObjectsAmong(store, [id])).has(id);
        yield { id, kind: "erased", ...(isErased ? {} : { lost: true as const }), of };
      } else {
        for (const attachment of attachmentIdsOf(version.document)) attachments.add(attachment);
        yield lineOf(version);
      }
    }
  }
}
