import type { CommitReceipt, ObjectStore } from "@cm/object-model";
import { type CapturedCommit, capture } from "./captured-transactions.ts";

/** A store that notes the time and the requests of each commit that writes a step. */
export function capturingStore(store: ObjectStore, commits: CapturedCommit[]): ObjectStore {
  return {
    contract: "object-store/1",
    getMany: (ids, at) => store.getMany(ids, at),
    history: (id, page) => store.history(id, page),
    find: (filter, page) => store.find(filter, page),
    erase: (ids, reason) => store.erase(ids, reason),
    async commit(writes, options): Promise<CommitReceipt> {
      const receipts: CommitReceipt[] = [];
      const captured = await capture(async () => receipts.push(await store.commit(writes, options)));
      commits.push(captured);
      const [receipt] = receipts;
      if (receipt === undefined) throw new Error("The commit gave no receipt.");
      return receipt;
    },
  };
}
