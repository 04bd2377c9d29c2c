import { existsSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import type { SQLInputValue } from "node:sqlite";
import { isCmError } from "@cm/object-model";
import type { Connection } from "./connection.ts";
import { checkPath, isDamage, storeError, toStoreError } from "./errors.ts";
import { isOfNoVersion, isUnnamed } from "./file-problems.ts";
import { storeLimits } from "./limits.ts";
import { damagedFrame } from "./log-damage.ts";
import { nameSessions, putLostBack } from "./lost-names.ts";
import { copyWithMendedLog } from "./mended-log.ts";
import { migrate } from "./migrations.ts";
import { isTime } from "./moment.ts";
import { type ConnectionOptions, openAndLook, openConnection } from "./open-connection.ts";
import { makePrivate } from "./private-file.ts";
import { versionDocument } from "./read-query.ts";
import { readableRows } from "./readable-rows.ts";
import type { Row } from "./whole-text.ts";

export interface RecoverOptions {
  /** The damaged file of a store. It is only read. */
  readonly path: string;
  /** The file to be made; nothing may be there. */
  readonly to: string;
}

export interface RecoverReceipt {
  /** Objects and versions of which something could be read. */
  readonly objects: number;
  readonly versions: number;
  /** Rows that were read and not taken, since what they refer to could not be read, or what refers to them. */
  readonly rowsRefused: number;
  /** Whether some part of a table, or of the log, could not be read. */
  readonly isIncomplete: boolean;
}

/** Before what refers to them. The memberships of sessions follow from their versions, the index of texts from the texts. */
const tables = [
  "tx",
  "kind",
  "object",
  "place",
  "source",
  "blob",
  "session",
  "erasure",
  "version",
  "request",
  "field_key",
  "field",
] as const;

/**
 * Copies the readable part of a damaged file into a new one, table by table, skipping damaged parts; indexes are
 * rebuilt. A verification of the new file then names the missing objects. A failure leaves no new file that looks
 * complete.
 * @throws CmError `store/unavailable` where a path does not serve; `store/corrupt` where not even the schema can be
 * read
 */
export function recoverSqliteStore(options: RecoverOptions): RecoverReceipt {
  const path = resolve(checkPath(options.path));
  const to = resolve(checkPath(options.to));
  if (!existsSync(path)) throw storeError("store/unavailable", "There is no such file; name that of a store.");
  if (existsSync(to)) throw storeError("store/unavailable", "The new file is there already; name another one.");
  try {
    if (damagedFrame(path) === undefined) return recover(path, to, false);
    const copy = `${to}-mended`;
    try {
      copyWithMendedLog(path, copy);
      return recover(copy, to, true);
    } finally {
      removeFile(copy);
    }
  } catch (error) {
    throw toStoreError(error);
  }
}

function recover(path: string, to: string, isLogDamaged: boolean): RecoverReceipt {
  const setting = { timeoutMs: storeLimits.busyTimeoutMs, checkpointPages: storeLimits.checkpointPages };
  const look = (file: Connection) => file.pragma("SELECT count(*) FROM sqlite_schema");
  const { connection: damaged } = openAndLook(path, { ...setting, readOnly: true, forgiving: true }, look);
  try {
    return copyInto(to, (fresh) => copyAll(damaged, fresh, isLogDamaged), setting);
  } finally {
    damaged.close();
  }
}

function removeFile(path: string): void {
  // `force` does not pass over a path that cannot be one.
  for (const file of ["", "-wal", "-shm"].map((suffix) => path + suffix)) if (existsSync(file)) rmSync(file);
}

/** A file that could not be filled is taken away, so that the same path serves again. */
function copyInto<T>(to: string, copy: (fresh: Connection) => T, setting: ConnectionOptions): T {
  let isFilled = false;
  makePrivate(to);
  try {
    const fresh = openConnection(to, setting);
    try {
      migrate(fresh);
      const receipt = fresh.write(() => copy(fresh));
      isFilled = true;
      return receipt;
    } finally {
      fresh.close();
    }
  } finally {
    if (!isFilled) removeFile(to);
  }
}

function copyAll(damaged: Connection, fresh: Connection, isLogDamaged: boolean): RecoverReceipt {
  let rowsRefused = 0;
  let isIncomplete = isLogDamaged;
  for (const table of tables) {
    for (const row of readableRows(damaged, table)) {
      // A transaction with a time that is none gets one from its versions, as a lost one does.
      if (row === "unreadable" || (table === "tx" && !isTime(row.time))) isIncomplete = true;
      else if (!isTaken(fresh, table, row) && !(putLostBack(fresh, table, row) && isTaken(fresh, table, row)))
        rowsRefused += 1;
    }
  }
  nameSessions(fresh);
  rowsRefused += leaveOutDamaged(fresh);
  rowsRefused += leaveOut(fresh, "blob", isUnnamed) + leaveOut(fresh, "source", isOfNoVersion);
  // A session whose name is nowhere has no members; its versions say so where they are read.
  fresh.exec("INSERT INTO member SELECT DISTINCT session_id, oid FROM version JOIN session USING (session_id)");
  return { objects: count(fresh, "object"), versions: count(fresh, "version"), rowsRefused, isIncomplete };
}

/**
 * A version whose document is another than was written would end each session that meets it; one that is not there is missing, and
 * said to be. Where the name of its session was lost, no document can be put together; its text stays in the new file.
 * @returns the versions
 */
function leaveOutDamaged(fresh: Connection): number {
  const versions = fresh.all<{ vid: number }>(
    "SELECT vid FROM version LEFT JOIN session USING (session_id) WHERE erased IS NULL AND (session_id IS NULL) = (name IS NULL)",
  );
  fresh.exec("CREATE TEMP TABLE damaged(vid INTEGER PRIMARY KEY)");
  for (const { vid } of versions) if (isDamagedVersion(fresh, vid)) fresh.run("INSERT INTO damaged VALUES (?)", vid);
  fresh.exec("DELETE FROM field WHERE vid IN (SELECT vid FROM damaged)");
  return leaveOut(fresh, "version", "vid IN (SELECT vid FROM damaged)");
}

function isDamagedVersion(fresh: Connection, vid: number): boolean {
  try {
    versionDocument(fresh, vid);
    return false;
  } catch (error) {
    if (isCmError(error, "store/corrupt")) return true;
    throw error;
  }
}

/** A text or a source without a version is no use, and no erasure would ever reach it. @returns the rows */
function leaveOut(fresh: Connection, table: "blob" | "source" | "version", which: string): number {
  const before = count(fresh, table);
  const guard = `${table}_kept`;
  const sql = fresh.get<{ sql: string }>("SELECT sql FROM sqlite_schema WHERE name = ?", guard)?.sql ?? "";
  fresh.exec(`DROP TRIGGER ${guard}`);
  fresh.exec(`DELETE FROM ${table} WHERE ${which}`);
  fresh.exec(sql);
  return before - count(fresh, table);
}

/** A readable row that does not fit the earlier tables is damage, too. */
function isTaken(fresh: Connection, table: string, row: Row): boolean {
  const columns = Object.keys(row);
  try {
    fresh.run(
      `INSERT INTO ${table}(${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
      ...Object.values(row as Record<string, SQLInputValue>),
    );
    return true;
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
}

function count(connection: Connection, table: string): number {
  return connection.get<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`)?.rows ?? 0;
}
