import { type Basis, limits, type ObjectStore, type StoredVersion } from "@cm/object-model";

/**
 * `getMany` for any number of ids: a long session refers to more objects than one read may name. The texts of most of
 * them are never looked at.
 */
export async function readInParts(
  store: ObjectStore,
  ids: readonly string[],
  at?: Basis,
): Promise<ReadonlyMap<string, StoredVersion>> {
  const found = new Map<string, StoredVersion>();
  for (let from = 0; from < ids.length; from += limits.idsPerReadMax) {
    const part = await store.getMany(ids.slice(from, from + limits.idsPerReadMax), at, { texts: "later" });
    for (const [id, version] of part) found.set(id, version);
  }
  return found;
}
