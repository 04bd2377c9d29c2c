import type { SetChanges } from "@cm/object-model";
import type { ViewSets } from "../view.ts";

/** The sets of SSOT 3.1 and our two marks, as the open session holds them. Iteration order is order of entry. */
export type SessionSets = { readonly [K in keyof ViewSets]: Set<string> };

const names = [
  "index",
  "pool",
  "active",
  "pinned",
  "dismissed",
  "requested",
] as const satisfies readonly (keyof ViewSets)[];

export function emptySets(): SessionSets {
  return {
    index: new Set(),
    pool: new Set(),
    active: new Set(),
    pinned: new Set(),
    dismissed: new Set(),
    requested: new Set(),
  };
}

interface Change {
  readonly added?: readonly string[] | undefined;
  readonly removed?: readonly string[] | undefined;
}

export function applyChanges(sets: SessionSets, changes: SetChanges): void {
  for (const name of names) {
    const change: Change = changes[name] ?? {};
    for (const id of change.removed ?? []) sets[name].delete(id);
    for (const id of change.added ?? []) sets[name].add(id);
  }
}

/** What takes changes back. The index is left out: it never shrinks. */
export function inverseOf(changes: SetChanges): SetChanges {
  const inverse: Record<string, Change> = {};
  for (const name of names) {
    if (name === "index") continue;
    const { added, removed }: Change = changes[name] ?? {};
    inverse[name] = { added: removed, removed: added };
  }
  return inverse as SetChanges;
}

/** Ids that changed anywhere: what the invariants must be checked for. */
export function changedIds(changes: SetChanges): ReadonlySet<string> {
  return new Set(
    names.flatMap((name) => {
      const change: Change = changes[name] ?? {};
      return [...(change.added ?? []), ...(change.removed ?? [])];
    }),
  );
}

/** Whether an id is in each of the sets: all that a transition needs to know. */
export type Membership = { readonly [K in keyof ViewSets]: { has(id: string): boolean } };

/** A pool entry that nothing holds: its text is neither in view nor asked for, and no pin keeps it. */
export function isIdle({ pool, active, pinned, requested }: Membership, id: string): boolean {
  return pool.has(id) && !active.has(id) && !pinned.has(id) && !requested.has(id);
}

/** Adds up changes made one after the other, so that a step records only what came of them. */
export class ChangeLog {
  readonly #added = emptySets();
  readonly #removed = emptySets();

  add(changes: SetChanges): void {
    for (const name of names) {
      const change: Change = changes[name] ?? {};
      for (const id of change.removed ?? []) if (!this.#added[name].delete(id)) this.#removed[name].add(id);
      for (const id of change.added ?? []) if (!this.#removed[name].delete(id)) this.#added[name].add(id);
    }
  }

  /** The sum so far. */
  sum(): SetChanges {
    const changes: Record<string, Change> = {};
    for (const name of names) {
      const added = [...this.#added[name]];
      const removed = [...this.#removed[name]];
      if (added.length + removed.length > 0) {
        changes[name] = { ...(added.length > 0 ? { added } : {}), ...(removed.length > 0 ? { removed } : {}) };
      }
    }
    return changes as SetChanges;
  }

  /** The sets as they would be with these changes, without copying them. */
  over(base: Membership): Membership {
    const over = (name: (typeof names)[number]) => ({
      has: (id: string) => this.#added[name].has(id) || (!this.#removed[name].has(id) && base[name].has(id)),
    });
    return {
      index: over("index"),
      pool: over("pool"),
      active: over("active"),
      pinned: over("pinned"),
      dismissed: over("dismissed"),
      requested: over("requested"),
    };
  }
}

/** One set with changes applied, in order of entry. */
export function memberList(sets: ViewSets, name: keyof ViewSets, changes: SetChanges): readonly string[] {
  const change: Change = changes[name] ?? {};
  const members = new Set(sets[name]);
  for (const id of change.removed ?? []) members.delete(id);
  for (const id of change.added ?? []) members.add(id);
  return [...members];
}

/** The size of one set with changes applied, without copying it. */
export function memberCount(sets: ViewSets, name: keyof ViewSets, changes: SetChanges): number {
  const change: Change = changes[name] ?? {};
  const removed = (change.removed ?? []).filter((id) => sets[name].has(id)).length;
  const added = (change.added ?? []).filter((id) => !sets[name].has(id)).length;
  return sets[name].size - removed + added;
}
