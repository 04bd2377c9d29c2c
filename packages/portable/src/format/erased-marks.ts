import {
  type ErasedObjects,
  erasedObjectId,
  erasedObjectsAmong,
  everyVersion,
  type ObjectStore,
  sealDocument,
  type Write,
} from "@cm/object-model";

/** Whether objects of a type have a mark where they were erased before they would have come: of these nothing can be erased again. */
export const hasErasedMark = (type: string): boolean =>
  type === "file" || type === "attachment" || type === "system_prompt";

/**
 * What tells a store that these objects were erased before they would have come into it, and not lost. What it has of
 * them, or had, tells so itself.
 */
export async function erasedMarks(store: ObjectStore, erased: ErasedObjects): Promise<readonly Write[]> {
  const known = await erasedObjectsAmong(store, erased.keys());
  const writes: Write[] = [];
  for (const [id, versions] of erased) {
    const before = known.get(id);
    const told = new Set([...(before ?? []), ...versions]);
    if (before !== undefined && told.size === before.size) continue;
    if (before === undefined && (await hasAll(store, id, versions))) continue;
    const payload = { content: null, content_hashes: [...told].sort() };
    writes.push({ document: sealDocument({ type: "erased_object", id: erasedObjectId(id) }, payload), expect: "any" });
  }
  return writes;
}

async function hasAll(store: ObjectStore, id: string, versions: ReadonlySet<string>): Promise<boolean> {
  const left = new Set(versions);
  let isThere = false;
  for await (const { contentHash } of everyVersion((page) => store.history(id, page))) {
    isThere = true;
    left.delete(contentHash);
    if (left.size === 0) break;
  }
  return isThere && left.size === 0;
}
