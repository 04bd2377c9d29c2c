import { type CommitReceipt, isCmError, type ObjectStore, type Write } from "@cm/object-model";
import { limits } from "../limits.ts";

/** Commits, and repeats that very commit a few times where its answer was lost. @throws what the store throws */
export async function commitUntilAnswered(
  store: ObjectStore,
  writes: readonly Write[],
  requestId: string,
): Promise<CommitReceipt> {
  for (let repeat = 0; ; repeat += 1) {
    try {
      return await store.commit(writes, { requestId });
    } catch (error) {
      if (!isCmError(error, "store/unknown-outcome") || repeat >= limits.commitRepeatsMax) throw error;
    }
  }
}
