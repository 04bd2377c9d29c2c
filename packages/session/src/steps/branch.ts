import { type DocumentOf, defined, observedBy, type SetChanges } from "@cm/object-model";
import { ChangeLog, changedIds, type Membership } from "../sets/session-sets.ts";
import type { FileInSight, SessionState } from "../state/session-state.ts";

type WholePath = Pick<SessionState, "sets" | "inSight">;

interface Change {
  readonly added?: readonly string[] | undefined;
  readonly removed?: readonly string[] | undefined;
}

/** What merging compares. The other sets are each writer's own. */
const merged = ["index", "pool", "pinned"] as const;

/**
 * Another writer's path, kept as what sets it apart from ours: its size follows what either one did since they last
 * met. Ours is never copied; it is handed in as `base`, the sets after our newest step.
 */
export class Branch {
  /** From our sets to theirs. */
  readonly #apart = new ChangeLog();
  /** Files that they have in sight and we never met. */
  readonly files = new Map<string, FileInSight>();

  /**
   * How a path that was read whole differs from ours.
   * @param ids of all objects that either one has
   */
  static between(ids: Iterable<string>, base: Membership, { sets, inSight }: WholePath): Branch {
    const branch = new Branch();
    for (const id of ids) {
      for (const name of merged) {
        if (base[name].has(id) === sets[name].has(id)) continue;
        branch.#apart.add({ [name]: sets[name].has(id) ? { added: [id] } : { removed: [id] } });
      }
    }
    for (const [file, seen] of inSight) branch.files.set(file, seen);
    return branch;
  }

  /** Takes in their next step. */
  advance(step: DocumentOf<"step">, base: Membership): void {
    for (const { file, content_hash: contentHash, display, succeeds } of observedBy(step)) {
      this.files.set(file, { contentHash, display, succeeds });
    }
    for (const changes of changesOf(step)) this.#apart.add(effective(changes, this.sets(base)));
  }

  /** We made a step: from our new sets to theirs it is another way. */
  leaveBehind(step: DocumentOf<"step">): void {
    for (const changes of changesOf(step)) this.#apart.undo(changes);
  }

  /** Files that we have met meanwhile play no part any more. */
  forgetFiles(areMet: (file: string) => boolean): void {
    for (const file of this.files.keys()) if (areMet(file)) this.files.delete(file);
  }

  /** Theirs, without a copy. */
  sets(base: Membership): Membership {
    return this.#apart.over(base);
  }

  /** Every id that may be in other sets with them than with us. */
  get ids(): ReadonlySet<string> {
    return changedIds(this.#apart.sum());
  }
}

/** In the order in which they were made. */
function changesOf({ changes_before = {}, changes }: DocumentOf<"step">): readonly SetChanges[] {
  return [changes_before, changes].map(({ index, pool, pinned }) => ({
    ...defined({ index, pool, pinned }),
  }));
}

/** Without what the sets have already: a document from outside may say it twice. */
function effective(changes: SetChanges, sets: Membership): SetChanges {
  const parts = merged.map((name) => {
    const { added = [], removed = [] }: Change = changes[name] ?? {};
    return [
      name,
      { added: added.filter((id) => !sets[name].has(id)), removed: removed.filter((id) => sets[name].has(id)) },
    ];
  });
  return Object.fromEntries(parts);
}
