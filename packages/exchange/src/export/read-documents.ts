import { erasedObjectsAmong, type ObjectStore } from "@cm/object-model";
import type { ReadDocument } from "../journal/gone-texts.ts";

/** Newest versions by id, and those that the store has lost; without those that were erased, there or before they came. */
export async function readDocuments(
  store: ObjectStore,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ReadDocument>> {
  if (ids.length === 0) return new Map();
  const found = await store.getMany(ids);
  const absent = ids.filter((id) => !found.has(id));
  const erased = await erasedObjectsAmong(store, absent);
  const read = new Map<string, ReadDocument>();
  for (const [id, { document }] of found) if (document !== undefined) read.set(id, document);
  for (const id of absent) if (!erased.has(id)) read.set(id, "missing");
  return read;
}
