import type { SessionEntry } from "../pi/pi-types.ts";
import type { BranchItem } from "./branch-item.ts";
import { isOwnCompaction, toldType } from "./branch-items.ts";

/**
 * Which items Pi itself shows in a request: not what lies before a compaction of ours, nor what we say of it. A
 * compaction of another extension has cut the items already.
 */
export class PiVisibility {
  #compaction: SessionEntry | undefined;
  #first: BranchItem | undefined;
  #hidden = 0;

  of(entries: readonly SessionEntry[], items: readonly BranchItem[]): (item: BranchItem, place: number) => boolean {
    const newest = entries.findLast(({ type }) => type === "compaction");
    if (newest !== this.#compaction || items[0] !== this.#first) {
      this.#compaction = newest;
      this.#first = items[0];
      this.#hidden = newest === undefined ? 0 : hiddenBy(newest, entries, items);
    }
    const hidden = this.#hidden;
    return ({ message }, place) => place >= hidden && !(message.role === "custom" && message.customType === toldType);
  }
}

function hiddenBy(compaction: SessionEntry, entries: readonly SessionEntry[], items: readonly BranchItem[]): number {
  if (compaction.type !== "compaction" || !isOwnCompaction(compaction)) return 0;
  const kept = entries.findIndex(({ id }) => id === compaction.firstKeptEntryId);
  // Of a compaction that keeps nothing, Pi shows what came behind it.
  const from = kept === -1 ? entries.indexOf(compaction) : kept;
  const before = new Set(entries.slice(0, from).map(({ id }) => id));
  // The summary of an earlier one stands first, and its entry may be behind what is kept: Pi shows the newest alone.
  const first = items.findIndex(({ entry, message }) => message.role !== "compactionSummary" && !before.has(entry));
  return first === -1 ? items.length : first;
}
