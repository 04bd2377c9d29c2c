import type { ObjectDocument, ObjectStore } from "@cm/object-model";

/** Newest versions by id, without those that are missing or erased. */
export async function readDocuments(
  store: ObjectStore,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ObjectDocument>> {
  if (ids.length === 0) return new Map();
  const found = await store.getMany(ids);
  return new Map([...found].flatMap(([id, { document }]) => (document === undefined ? [] : [[id, document] as const])));
}
