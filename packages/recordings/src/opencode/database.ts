import { open } from "node:fs/promises";
import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { limits } from "../limits.ts";
import { parsedJson } from "../parsed-json.ts";
import { isRawObject } from "../raw-object.ts";
import { databaseUnreadable, tooLarge } from "../recording-error.ts";
import { toMessage, toSession } from "./message.ts";
import type { OpencodeRead } from "./recording.ts";

const signature = "SQLite format 3\u0000";

/** Whether a file is a database of SQLite, as newer versions of opencode keep all sessions in. */
export async function isDatabase(path: string): Promise<boolean> {
  const file = await open(path, "r").catch(() => undefined);
  try {
    const bytes = Buffer.alloc(signature.length);
    await file?.read(bytes, 0, bytes.length, 0).catch(() => undefined);
    return bytes.toString("latin1") === signature;
  } finally {
    await file?.close();
  }
}

/**
 * One session of opencode's database, which is only read, also while opencode runs.
 * @param sessionId default: the session that went on last, without sub-agents
 * @returns undefined where the database has no such session
 * @throws CmError `recording/too-large`, `recording/unreadable`
 */
export async function sessionInDatabase(
  path: string,
  sessionId: string | undefined,
): Promise<OpencodeRead | undefined> {
  return reading(path, (database) => readSession(database, path, sessionId));
}

async function reading<T>(path: string, read: (database: DatabaseSync) => T): Promise<T> {
  // Loaded here, because Node says on the terminal that it is new.
  const { DatabaseSync } = await import("node:sqlite");
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    // One state of the database for all that is read.
    database.exec("BEGIN");
    return read(database);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "ERR_SQLITE_ERROR" ? databaseUnreadable(path, error) : error;
  } finally {
    database?.close();
  }
}

/** A session as the database lists it. */
export interface ListedSession {
  readonly id: string;
  /** Of its messages and their parts. */
  readonly bytes: number;
  readonly updated: Date;
}

/**
 * All sessions of opencode's database, those of sub-agents too, in the order in which they began; none of another's.
 * @throws CmError `recording/unreadable`
 */
export async function sessionsInDatabase(path: string): Promise<readonly ListedSession[]> {
  return reading(path, (database) => {
    if (!hasSessions(database)) return [];
    const rows = database.prepare(listing).all(limits.databaseSessionsMax);
    return rows.map((row) => {
      const { id, updated, bytes } = listed.parse(row);
      return { id, bytes, updated: new Date(updated) };
    });
  });
}

const bytesIn = (table: string): string =>
  `(SELECT coalesce(sum(octet_length(data)), 0) FROM ${table} WHERE session_id = session.id)`;
const listing = `SELECT id, time_updated AS updated, ${bytesIn("message")} + ${bytesIn("part")} AS bytes
  FROM session ORDER BY id LIMIT ?`;
const listed = z.object({ id: z.string(), updated: z.number().catch(0), bytes: z.number().catch(0) });

const newest = "SELECT * FROM session WHERE parent_id IS NULL ORDER BY time_updated DESC, id DESC LIMIT 1";
const stored = z.object({ id: z.string(), data: z.string() });
const storedPart = stored.extend({ message_id: z.string() });

function readSession(database: DatabaseSync, path: string, sessionId: string | undefined): OpencodeRead | undefined {
  if (!hasSessions(database)) return undefined;
  const row =
    sessionId === undefined
      ? database.prepare(newest).get()
      : database.prepare("SELECT * FROM session WHERE id = ?").get(sessionId);
  if (row === undefined) return undefined;
  const session = toSession({ ...row, revert: parsedJson(String(row.revert)) ?? undefined });
  if (session === undefined) return undefined;
  checkSize(database, path, session.id);
  const parts = new Map<string, unknown[]>();
  const all = database.prepare("SELECT id, message_id, data FROM part WHERE session_id = ? ORDER BY id");
  for (const part of all.iterate(session.id)) {
    const { id, message_id, data } = storedPart.parse(part);
    const own = parts.get(message_id) ?? [];
    parts.set(message_id, own);
    own.push(withId(id, data));
  }
  const messages = database
    .prepare("SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id")
    .all(session.id)
    .map((message) => {
      const { id, data } = stored.parse(message);
      const info = withId(id, data);
      return info === undefined ? null : toMessage({ info, parts: parts.get(id) ?? [] });
    });
  return { session, messages };
}

function hasSessions(database: DatabaseSync): boolean {
  const names =
    "SELECT count(*) AS count FROM sqlite_master WHERE type = 'table' AND name IN ('session','message','part')";
  return database.prepare(names).get()?.count === 3;
}

/** Ids stand beside the JSON, not in it. */
function withId(id: string, data: string): object | undefined {
  const value = parsedJson(data);
  return isRawObject(value) ? { ...value, id } : undefined;
}

function checkSize(database: DatabaseSync, path: string, session: string): void {
  let rows = 0;
  let bytes = 0;
  for (const table of ["message", "part"]) {
    const sizes = `SELECT count(*) AS rows, coalesce(sum(octet_length(data)), 0) AS bytes FROM ${table} WHERE session_id = ?`;
    const size = database.prepare(sizes).get(session);
    rows += Number(size?.rows);
    bytes += Number(size?.bytes);
  }
  if (rows > limits.storedFilesMax || bytes > limits.documentBytesMax) throw tooLarge(path);
}
