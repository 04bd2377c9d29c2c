import type { CommitReceipt, ObjectStore, Write } from "@cm/object-model";

/** A store whose commits go through the hands of `around`, which must call `commit` once. */
export function observedStore(
  store: ObjectStore,
  around: (commit: () => Promise<CommitReceipt>, writes: readonly Write[]) => Promise<CommitReceipt>,
): ObjectStore {
  return {
    contract: "object-store/1",
    getMany: (ids, at) => store.getMany(ids, at),
    history: (id, page) => store.history(id, page),
    find: (filter, page) => store.find(filter, page),
    erase: (ids, reason) => store.erase(ids, reason),
    commit: (writes, options) => around(() => store.commit(writes, options), writes),
  };
}
