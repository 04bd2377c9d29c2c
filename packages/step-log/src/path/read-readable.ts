import { isCmError, type ObjectStore, type StoredVersion } from "@cm/object-model";

/** What a store could give of some ids. */
export interface Readable {
  readonly found: ReadonlyMap<string, StoredVersion>;
  /** Ids whose documents the store has and cannot decode. */
  readonly unreadable: ReadonlySet<string>;
}

/** As `getMany`, but a document that cannot be decoded does not hide the others: it is looked for by halves. */
export async function readReadable(store: Pick<ObjectStore, "getMany">, ids: readonly string[]): Promise<Readable> {
  try {
    return { found: await store.getMany(ids), unreadable: new Set() };
  } catch (error) {
    if (!isCmError(error, "store/corrupt")) throw error;
    if (ids.length <= 1) return { found: new Map(), unreadable: new Set(ids) };
  }
  const half = Math.ceil(ids.length / 2);
  const first = await readReadable(store, ids.slice(0, half));
  const second = await readReadable(store, ids.slice(half));
  return {
    found: new Map([...first.found, ...second.found]),
    unreadable: new Set([...first.unreadable, ...second.unreadable]),
  };
}
