import { Connection } from "./connection.ts";
import { checkModules, isSafeSqlite, loadSqlite } from "./engine.ts";
import { GuardedLog } from "./guarded-log.ts";
import { unchangingFile } from "./read-only-copy.ts";

export interface ConnectionOptions {
  /** How long each statement waits for another connection's lock. */
  readonly timeoutMs: number;
  /** Pages in the write-ahead log from which on a commit moves them into the file. */
  readonly checkpointPages: number;
  readonly readOnly?: boolean;
  /** For a damaged file that is only read: SQLite otherwise refuses one that is shorter than it says, or has a table that it cannot make out. */
  readonly forgiving?: boolean;
}

/**
 * Opens a file with what every connection of ours needs. Nothing is read of it yet.
 * @throws CmError `store/unavailable` on a Node that is too old; an error of SQLite
 */
export function openConnection(
  path: string | URL,
  { timeoutMs, checkpointPages, readOnly = false, forgiving = false }: ConnectionOptions,
): Connection {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(path, { timeout: timeoutMs, readOnly, ...(forgiving ? { defensive: false } : {}) });
  try {
    if (forgiving) database.exec("PRAGMA writable_schema = ON");
    checkModules(database);
    const version = database.prepare("SELECT sqlite_version() AS version").get()?.version;
    if (readOnly || isSafeSqlite(`${version}`)) {
      database.exec(`PRAGMA wal_autocheckpoint = ${checkpointPages}`);
      return new Connection(database);
    }
    const openAnother = () => new DatabaseSync(path);
    const log = new GuardedLog(database, { path: `${path}`, timeoutMs, checkpointPages, openAnother });
    return new Connection(database, log);
  } catch (error) {
    if (database.isOpen) database.close();
    throw error;
  }
}

/**
 * Opens a file and takes a first look at it, which is when SQLite opens it. A read-only one in a place where nothing may be
 * written is taken as it is.
 * @throws what `openConnection` or the look throws; CmError `store/unavailable`
 */
export function openAndLook<T>(
  path: string | URL,
  options: ConnectionOptions,
  look: (connection: Connection) => T,
): { readonly connection: Connection; readonly seen: T } {
  let connection: Connection | undefined;
  try {
    connection = openConnection(path, options);
    return { connection, seen: look(connection) };
  } catch (error) {
    connection?.close();
    const unchanging = options.readOnly === true && typeof path === "string" ? unchangingFile(path, error) : undefined;
    if (unchanging === undefined) throw error;
    return openAndLook(unchanging, options, look);
  }
}
