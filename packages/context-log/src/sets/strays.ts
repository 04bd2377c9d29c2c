import type { SetChanges } from "@cm/object-model";
import type { ViewSets } from "../view.ts";
import { changedIds } from "./session-sets.ts";

const inPool = ["active", "pinned"] as const;
const inIndex = [...inPool, "pool", "dismissed", "requested"] as const;

/**
 * What an erased step did to the sets is lost: later steps may build on it, and that part of them is passed over. These
 * are the changes that take it out of sets that have the changes already.
 */
export function straysOf(sets: ViewSets, changes: SetChanges): SetChanges {
  const removed: Partial<Record<(typeof inIndex)[number], { readonly removed: string[] }>> = {};
  for (const id of changedIds(changes)) {
    const strays = sets.index.has(id) ? (sets.pool.has(id) ? [] : inPool) : inIndex;
    for (const name of strays) {
      if (!sets[name].has(id)) continue;
      removed[name] ??= { removed: [] };
      removed[name].removed.push(id);
    }
  }
  return removed;
}
