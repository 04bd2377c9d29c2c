import type { SetChanges } from "@cm/object-model";
import { changedIds, type SessionSets } from "./session-sets.ts";

const inPool = ["active", "pinned"] as const;
const inIndex = [...inPool, "pool", "dismissed", "requested"] as const;

/** What an erased step did to the sets is lost: later steps may build on it, and that part of them is passed over. */
export function keepPromises(sets: SessionSets, changes: SetChanges): void {
  for (const id of changedIds(changes)) {
    const strays = sets.index.has(id) ? (sets.pool.has(id) ? [] : inPool) : inIndex;
    for (const name of strays) sets[name].delete(id);
  }
}
