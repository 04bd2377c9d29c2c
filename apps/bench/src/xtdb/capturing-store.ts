import type { CommitReceipt, ObjectStore } from "@cm/object-model";
import { observedStore } from "../observed-store.ts";
import { type CapturedCommit, capture } from "./captured-transactions.ts";

/** A store that notes the time and the requests of each commit. */
export function capturingStore(store: ObjectStore, commits: CapturedCommit[]): ObjectStore {
  return observedStore(store, async (commit) => {
    const receipts: CommitReceipt[] = [];
    commits.push(await capture(async () => receipts.push(await commit())));
    const [receipt] = receipts;
    if (receipt === undefined) throw new Error("The commit gave no receipt.");
    return receipt;
  });
}
