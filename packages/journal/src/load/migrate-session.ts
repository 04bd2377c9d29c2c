import { newEntryId } from "../format/ids.ts";
import { currentSessionVersion, type FileEntry, type SessionHeader } from "../format/session-entry.ts";
import { isRawObject } from "../json-lines.ts";

type Loose = Record<string, unknown>;

/**
 * Brings the entries of a file to version 3, in place but for their messages. A later version is left alone.
 * @param idAt the id of the entry at a position, the header included. Default: a new one
 * @returns whether anything was older
 */
export function migrateSessionEntries(entries: FileEntry[], idAt?: (position: number) => string): boolean {
  const header = entries.find((entry): entry is SessionHeader => entry.type === "session");
  const version = versionOf(header);
  if (header === undefined || version >= currentSessionVersion) return false;
  if (version < 2) toVersion2(entries, idAt);
  for (const entry of entries) if (entry.type !== "session") hookMessageToCustom(entry as unknown as Loose);
  header.version = currentSessionVersion;
  return true;
}

/** Absent means 1; an odd value tells no more than an absent one. */
export function versionOf(header: SessionHeader | undefined): number {
  const version = header?.version;
  return version !== undefined && Number.isInteger(version) && version >= 1 ? version : 1;
}

/** The file's order is the chain. Positions count the header, which is at 0. */
function toVersion2(entries: FileEntry[], idAt?: (position: number) => string): void {
  const ids = new Set<string>();
  let parentId: string | null = null;
  for (const [position, entry] of entries.entries()) {
    if (entry.type === "session") continue;
    entry.id = idAt?.(position) ?? newEntryId(ids);
    entry.parentId = parentId;
    ids.add(entry.id);
    parentId = entry.id;
  }
  for (const entry of entries) if (entry.type === "compaction") keptIndexToId(entry as unknown as Loose, entries);
}

function keptIndexToId(compaction: Loose, entries: readonly FileEntry[]): void {
  const { firstKeptEntryIndex: index } = compaction;
  if (typeof index !== "number") return;
  const target = entries[index];
  if (target !== undefined && target.type !== "session") compaction.firstKeptEntryId = target.id;
  delete compaction.firstKeptEntryIndex;
}

function hookMessageToCustom(entry: Loose): void {
  const { message } = entry;
  if (entry.type === "message" && isRawObject(message) && message.role === "hookMessage") {
    entry.message = { ...message, role: "custom" };
  }
}
