import { CmError, type ObjectStore } from "@cm/object-model";

/** Fails at one commit: before it is made, or after, so that its answer is lost. */
export function failingAt(store: ObjectStore, place: number, when: "before" | "after"): ObjectStore {
  let commits = 0;
  return {
    contract: "object-store/1",
    getMany: (ids, asOf) => store.getMany(ids, asOf),
    history: (id, page) => store.history(id, page),
    find: (filter, page) => store.find(filter, page),
    erase: (ids, reason) => store.erase(ids, reason),
    async commit(writes, options) {
      commits += 1;
      if (commits === place && when === "before") throw new CmError("store/unavailable", "The process was killed.");
      const receipt = await store.commit(writes, options);
      if (commits === place && when === "after") throw new CmError("store/unknown-outcome", "The answer was lost.");
      return receipt;
    },
  };
}
