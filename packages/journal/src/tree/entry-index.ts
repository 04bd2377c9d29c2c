import { isNode } from "../format/entry-schema.ts";
import type { SessionEntry } from "../format/session-entry.ts";

/** The index of all entries, made in one pass. */
export interface EntryIndex {
  readonly byId: Map<string, SessionEntry>;
  /** Entry id to its label. */
  readonly labels: Map<string, string>;
  /** Entry id to the time at which it was labelled, ISO 8601. */
  readonly labelTimes: Map<string, string>;
  /** The last entry; null where there is none. */
  leafId: string | null;
}

export function indexEntries(entries: readonly SessionEntry[]): EntryIndex {
  const index: EntryIndex = { byId: new Map(), labels: new Map(), labelTimes: new Map(), leafId: null };
  for (const entry of entries) addToIndex(index, entry);
  return index;
}

/** An entry without an id is kept in the file but has no place in the tree. */
export function addToIndex(index: EntryIndex, entry: SessionEntry): void {
  if (!isNode(entry)) return;
  index.byId.set(entry.id, entry);
  index.leafId = entry.id;
  if (entry.type !== "label" || typeof entry.targetId !== "string") return;
  if (typeof entry.label === "string" && entry.label !== "") {
    index.labels.set(entry.targetId, entry.label);
    index.labelTimes.set(entry.targetId, entry.timestamp);
  } else {
    index.labels.delete(entry.targetId);
    index.labelTimes.delete(entry.targetId);
  }
}

/** From the root to an entry. A missing parent ends the walk, and so does an entry that was met before. */
export function pathTo(leaf: SessionEntry | undefined, byId: ReadonlyMap<string, SessionEntry>): SessionEntry[] {
  const met = new Set<SessionEntry>();
  for (let at = leaf; at !== undefined && !met.has(at); at = parentOf(at, byId)) met.add(at);
  return [...met].reverse();
}

/**
 * The path at a leaf.
 * @param leafId null: none; an id that is not there, or none: the last entry
 */
export function pathAt(
  entries: readonly SessionEntry[],
  leafId: string | null | undefined,
  byId: ReadonlyMap<string, SessionEntry>,
): SessionEntry[] {
  if (leafId === null) return [];
  return pathTo((leafId ? byId.get(leafId) : undefined) ?? entries.at(-1), byId);
}

export function parentOf(entry: SessionEntry, byId: ReadonlyMap<string, SessionEntry>): SessionEntry | undefined {
  return typeof entry.parentId === "string" ? byId.get(entry.parentId) : undefined;
}
