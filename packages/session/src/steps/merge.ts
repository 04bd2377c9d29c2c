import type { SetChanges, ViewSets } from "@cm/object-model";

type Mergeable = "index" | "pool" | "pinned" | "active";

interface Change {
  readonly added?: readonly string[] | undefined;
  readonly removed?: readonly string[] | undefined;
}

/**
 * What this session must take over when another writer moved the head (design 6): the index is a union; to the other's
 * pool and pins our own additions and removals are applied. Active objects are our own, since the active set is what
 * our prompt shows.
 */
export function mergeChanges(own: ViewSets, ownChanges: SetChanges, theirs: ViewSets): SetChanges {
  const index = withChange(own.index, ownChanges.index);
  const pinnedGoal = withChange(theirs.pinned, ownChanges.pinned);
  const active = withChange(own.active, ownChanges.active);
  const poolGoal = new Set([...withChange(theirs.pool, ownChanges.pool), ...pinnedGoal, ...active]);
  const met = [...theirs.index].filter((id) => !index.has(id));
  return {
    ...(met.length > 0 ? { index: { added: met } } : {}),
    ...toReach("pool", withChange(own.pool, ownChanges.pool), poolGoal, theirs.index),
    ...toReach("pinned", withChange(own.pinned, ownChanges.pinned), pinnedGoal, theirs.index),
  };
}

function withChange(members: ReadonlySet<string>, change: Change = {}): Set<string> {
  const changed = new Set(members);
  for (const id of change.removed ?? []) changed.delete(id);
  for (const id of change.added ?? []) changed.add(id);
  return changed;
}

/** The change from members to a goal. What the other writer never met, it could not mean to remove. */
function toReach(
  name: Exclude<Mergeable, "index">,
  members: ReadonlySet<string>,
  goal: ReadonlySet<string>,
  known: ReadonlySet<string>,
): SetChanges {
  const added = [...goal].filter((id) => !members.has(id));
  const removed = [...members].filter((id) => !goal.has(id) && known.has(id));
  if (added.length + removed.length === 0) return {};
  return { [name]: { ...(added.length > 0 ? { added } : {}), ...(removed.length > 0 ? { removed } : {}) } };
}
