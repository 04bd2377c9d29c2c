import { isDocumentOf } from "../documents/document.ts";
import { erasedObjectId, isErasedObjectId } from "../ids.ts";
import { limits } from "../limits.ts";
import type { ObjectStore } from "./contract.ts";

/** Files, attachments and system prompts that were erased before they would have come into a store, by id, with the content hashes of the versions. */
export type ErasedObjects = ReadonlyMap<string, ReadonlySet<string>>;

/** What a store was told of these objects: one that is not there, and not among the answers, was lost. */
export async function erasedObjectsAmong(store: ObjectStore, ids: Iterable<string>): Promise<ErasedObjects> {
  const asked = [...new Set(ids)].filter((id) => isErasedObjectId(erasedObjectId(id)));
  const erased = new Map<string, ReadonlySet<string>>();
  for (let from = 0; from < asked.length; from += limits.idsPerReadMax) {
    const part = asked.slice(from, from + limits.idsPerReadMax);
    const found = await store.getMany(part.map(erasedObjectId));
    for (const id of part) {
      const document = found.get(erasedObjectId(id))?.document;
      if (isDocumentOf(document, "erased_object")) erased.set(id, new Set(document.content_hashes));
    }
  }
  return erased;
}
