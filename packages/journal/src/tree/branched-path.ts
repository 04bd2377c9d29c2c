import { newEntryId } from "../format/ids.ts";
import type { SessionEntry, SessionLabelEntry } from "../format/session-entry.ts";
import type { EntryIndex } from "./entry-index.ts";

/** A path without its labels, in one chain again: what hung below a label hangs below what that hung below. */
export function pathWithoutLabels(path: readonly SessionEntry[]): SessionEntry[] {
  const kept: SessionEntry[] = [];
  /** A label to the first entry behind it that stays: where a compaction kept from a label on, it keeps from there on. */
  const standIns = new Map<string, string>();
  let waiting: string[] = [];
  for (const entry of path) {
    if (entry.type === "label") {
      waiting.push(entry.id);
      continue;
    }
    for (const id of waiting) standIns.set(id, entry.id);
    waiting = [];
    const parentId = kept.at(-1)?.id ?? null;
    const moved = entry.parentId === parentId ? entry : { ...entry, parentId };
    kept.push(moved.type === "compaction" ? keepingFrom(moved, standIns) : moved);
  }
  return kept;
}

function keepingFrom(entry: Extract<SessionEntry, { type: "compaction" }>, standIns: ReadonlyMap<string, string>) {
  const standIn = standIns.get(entry.firstKeptEntryId);
  return standIn === undefined ? entry : { ...entry, firstKeptEntryId: standIn };
}

/** The entries, and at their end the labels that they have. */
export function withLabels(entries: readonly SessionEntry[], { labels, labelTimes }: EntryIndex): SessionEntry[] {
  const ids = new Set(entries.map(({ id }) => id));
  const all = [...entries];
  for (const [targetId, label] of labels) {
    if (!ids.has(targetId)) continue;
    const id = newEntryId(ids);
    ids.add(id);
    const timestamp = labelTimes.get(targetId) ?? new Date().toISOString();
    const entry: SessionLabelEntry = {
      type: "label",
      id,
      parentId: all.at(-1)?.id ?? null,
      timestamp,
      targetId,
      label,
    };
    all.push(entry);
  }
  return all;
}
