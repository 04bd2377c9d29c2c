import type { ViewSets } from "@cm/context-log";
import type { SetChanges } from "@cm/object-model";
import { ChangeLog, changedIds, type Membership } from "../sets/session-sets.ts";

/**
 * What this session must take over when another writer moved the head (SSOT 3.8): the index is a union; to the other's
 * pool and pins our own additions and removals are applied. Active objects are our own, since the active set is what
 * our prompt shows.
 */
export function mergeChanges(own: ViewSets, ownChanges: SetChanges, theirs: ViewSets): SetChanges {
  const ids = [own, theirs].flatMap(({ index, pool, pinned }) => [...index, ...pool, ...pinned]);
  return mergeChangesOf(ids, { own, ownChanges, theirs });
}

export interface MergedSets {
  readonly own: Membership;
  readonly ownChanges: SetChanges;
  readonly theirs: Membership;
}

/** The same for these objects alone, and those that we changed: all others are known to be in the same sets. */
export function mergeChangesOf(ids: Iterable<string>, { own, ownChanges, theirs }: MergedSets): SetChanges {
  const change = new ChangeLog();
  change.add(ownChanges);
  const mine = change.over(own);
  const goal = change.over(theirs);
  const merged = new ChangeLog();
  for (const id of new Set([...ids, ...changedIds(ownChanges)])) {
    if (theirs.index.has(id) && !mine.index.has(id)) merged.add({ index: { added: [id] } });
    const isPinned = goal.pinned.has(id);
    const isInPool = goal.pool.has(id) || isPinned || mine.active.has(id);
    merged.add(toReach("pool", id, mine, { isMember: isInPool, isKnown: theirs.index.has(id) }));
    merged.add(toReach("pinned", id, mine, { isMember: isPinned, isKnown: theirs.index.has(id) }));
  }
  return merged.sum();
}

/** The change from our sets to a goal. What the other writer never met, it could not mean to remove. */
function toReach(
  name: "pool" | "pinned",
  id: string,
  mine: Membership,
  { isMember, isKnown }: { readonly isMember: boolean; readonly isKnown: boolean },
): SetChanges {
  if (mine[name].has(id) === isMember || !(isMember || isKnown)) return {};
  return { [name]: isMember ? { added: [id] } : { removed: [id] } };
}
