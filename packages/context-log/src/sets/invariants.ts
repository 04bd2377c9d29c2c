import type { SetChanges } from "@cm/object-model";
import { logError } from "../errors.ts";
import { changedIds, type Membership } from "./session-sets.ts";

/**
 * SSOT 1.4: active and pinned are subsets of the pool, the pool of the index, and the index never shrinks. Marks are
 * on indexed objects. Checked for what a change touched, so that the work follows the change.
 * @throws CmError `session/invariant`
 */
export function checkInvariants(sets: Membership, changes: SetChanges, isContent: (id: string) => boolean): void {
  if ((changes.index as { removed?: readonly string[] } | undefined)?.removed !== undefined)
    broken("the index would shrink");
  for (const id of changedIds(changes)) {
    if (sets.active.has(id) && !sets.pool.has(id)) broken("an active object is not in the pool");
    if (sets.pinned.has(id) && !sets.pool.has(id)) broken("a pinned object is not in the pool");
    if (sets.pool.has(id) && !sets.index.has(id)) broken("a pool object is not in the index");
    if (sets.index.has(id) && !isContent(id)) broken("an object that is neither file nor tool call is in the index");
    if ((sets.dismissed.has(id) || sets.requested.has(id)) && !sets.index.has(id))
      broken("a marked object is not in the index");
  }
}

function broken(what: string): never {
  throw logError("session/invariant", `A promise about the session's sets would break: ${what}. Please report it.`);
}
