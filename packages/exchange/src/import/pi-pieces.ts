import { createHash } from "node:crypto";
import { type JsonLine, migrateSessionEntries, type RawObject, type SessionHeader } from "@cm/journal";
import { piRecording, type RecordedEvent } from "@cm/recordings";
import { ownTypes } from "../journal/own-entries.ts";
import type { Piece, SessionSource } from "./session-source.ts";

/** A file of Pi or oh-my-pi: every line behind the header is a piece, whether or not it is part of the conversation. */
export function piPieces(header: SessionHeader, lines: AsyncIterable<JsonLine>, session: string): SessionSource {
  let skipped = 0;
  const older = olderVersion(header, session);
  async function* pieces(): AsyncGenerator<Piece> {
    for await (const { value } of lines) {
      if (value === undefined) skipped += 1;
      else yield pieceOf(older(value), JSON.stringify(value));
    }
  }
  return {
    ...{ agent: "pi", session, cwd: typeof header.cwd === "string" ? header.cwd : undefined, systemPrompt: "" },
    header: { ...header, version: Math.max(3, header.version ?? 1) },
    pieces: pieces(),
    warnings: () => (skipped === 0 ? [] : [`${skipped === 1 ? "1 line" : `${skipped} lines`} could not be read.`]),
  };
}

function pieceOf(entry: RawObject, said: string): Piece {
  const { event, systemPrompt } = readEvent(entry);
  const at = event?.at ?? (typeof entry.timestamp === "string" ? validDate(entry.timestamp) : undefined);
  return {
    id: typeof entry.id === "string" ? entry.id : undefined,
    parent: typeof entry.parentId === "string" ? entry.parentId : null,
    ...(event === undefined ? {} : { event }),
    ...(systemPrompt === "" ? {} : { systemPrompt }),
    ...(at === undefined ? {} : { at }),
    ...{ entry, said },
  };
}

const readable: ReadonlySet<unknown> = new Set(["message", "custom_message", "branch_summary", "session_init"]);

/** What an entry brings into the conversation. A compaction brings nothing: what it sums up is there. */
function readEvent(entry: RawObject): { readonly event?: RecordedEvent; readonly systemPrompt: string } {
  if (!readable.has(entry.type)) return { systemPrompt: ownSystemPrompt(entry) };
  const header = { type: "session", version: 3, id: "-", timestamp: "", cwd: "" };
  const lines = [header, { ...entry, parentId: null }].map((value, at) => ({ number: at + 1, value }));
  const { events, systemPrompt } = piRecording(lines, { activePath: true });
  const [event] = events;
  return event === undefined || isBrokenOff(event) ? { systemPrompt } : { event, systemPrompt };
}

/** The instructions as an export told them, in a file of Pi. */
function ownSystemPrompt({ type, customType, data }: RawObject): string {
  const isOwn = type === "custom" && customType === ownTypes.systemPrompt;
  if (!isOwn || typeof data !== "object" || data === null || !("systemPrompt" in data)) return "";
  return typeof data.systemPrompt === "string" ? data.systemPrompt : "";
}

/** Pi sends no answer that broke off, so it is no step either. */
const isBrokenOff = (event: RecordedEvent): boolean =>
  event.kind === "assistant" && (event.stopReason === "error" || event.stopReason === "aborted");

/**
 * Entries of older versions as the newest has them. In the first one an entry has no id: it gets one by its place, which
 * is the same whenever the file is read.
 */
function olderVersion(header: SessionHeader, session: string): (entry: RawObject) => RawObject {
  const version = header.version ?? 1;
  if (version >= 3) return (entry) => entry;
  const ids: string[] = [];
  return (raw) => {
    const [, entry] = migrated({ ...header, version: 2 }, raw);
    if (version >= 2) return entry;
    const place = ids.length;
    const id = createHash("sha256").update(`${session} ${place}`).digest("hex").slice(0, 8);
    ids.push(id);
    const { firstKeptEntryIndex: kept, ...rest } = { ...entry, id, parentId: ids[place - 1] ?? null } as RawObject;
    if (entry.type !== "compaction" || typeof kept !== "number")
      return { ...entry, id, parentId: ids[place - 1] ?? null };
    // Positions count the header.
    const firstKeptEntryId = ids[kept - 1];
    return firstKeptEntryId === undefined ? rest : { ...rest, firstKeptEntryId };
  };
}

function migrated(header: SessionHeader, raw: RawObject): readonly [SessionHeader, RawObject] {
  const entries = [{ ...header }, structuredClone(raw)] as unknown as Parameters<typeof migrateSessionEntries>[0];
  migrateSessionEntries(entries);
  return entries as unknown as readonly [SessionHeader, RawObject];
}

function validDate(text: string): Date | undefined {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
