import { Connection } from "./connection.ts";
import { checkModules, isSafeSqlite, loadSqlite } from "./engine.ts";
import { GuardedLog } from "./guarded-log.ts";

export interface ConnectionOptions {
  /** How long each statement waits for another connection's lock. */
  readonly timeoutMs: number;
  /** Pages in the write-ahead log from which on a commit moves them into the file. */
  readonly checkpointPages: number;
  readonly readOnly?: boolean;
}

/**
 * Opens a file with what every connection of ours needs. Nothing is read of it yet.
 * @throws CmError `store/unavailable` on a Node that is too old; an error of SQLite
 */
export function openConnection(
  path: string,
  { timeoutMs, checkpointPages, readOnly = false }: ConnectionOptions,
): Connection {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(path, { timeout: timeoutMs, readOnly });
  checkModules(database);
  const version = database.prepare("SELECT sqlite_version() AS version").get()?.version;
  if (readOnly || isSafeSqlite(`${version}`)) {
    database.exec(`PRAGMA wal_autocheckpoint = ${checkpointPages}`);
    return new Connection(database);
  }
  const openAnother = () => new DatabaseSync(path);
  return new Connection(database, new GuardedLog(database, { path, timeoutMs, checkpointPages, openAnother }));
}
