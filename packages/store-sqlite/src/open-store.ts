import { resolve } from "node:path";
import { coreDocumentTypes, type DocumentTypes, type ObjectStore } from "@cm/object-model";
import type { Connection } from "./connection.ts";
import { checkPath, checkTimeout, damagedFile, storeError, toStoreError } from "./errors.ts";
import { storeLimits } from "./limits.ts";
import { checkLog } from "./log-damage.ts";
import { migrate, migrations, versionOf } from "./migrations.ts";
import { openAndLook } from "./open-connection.ts";
import { makePrivate } from "./private-file.ts";
import { SqliteStore } from "./sqlite-store.ts";
import { useWriteAheadLog } from "./write-ahead-log.ts";

export interface SqliteStoreOptions {
  /** The database file, made where it is missing; its folder must be there. `:memory:` ends with the store. */
  readonly path: string;
  /** The object types to accept; default: the core types. */
  readonly types?: DocumentTypes;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** `full` (default) survives power loss; under `normal`, for bulk work, the last commits do once the store is closed. */
  readonly synchronous?: "full" | "normal";
  /** How long a call waits for another process's lock. It blocks the thread meanwhile. */
  readonly busyTimeoutMs?: number;
  /** Reads only: the file must be there and is not migrated. */
  readonly readOnly?: boolean;
}

/** An `ObjectStore` in one SQLite file, which several processes may open at once. */
export interface SqliteObjectStore extends ObjectStore {
  /** The file as an absolute path, or `:memory:`. */
  readonly path: string;
  close(): Promise<void>;
}

const memory = ":memory:";

/**
 * Opens a store, and makes or migrates its file.
 * @throws CmError `store/unavailable`, `store/corrupt`
 */
export function openSqliteStore(options: SqliteStoreOptions): SqliteObjectStore {
  return openStoreHere(options);
}

/** `openSqliteStore`, with what only this package asks of a store. */
export function openStoreHere(options: SqliteStoreOptions): SqliteStore {
  const { types = coreDocumentTypes, now = Date.now } = options;
  const path = options.path === memory ? memory : resolve(checkPath(options.path));
  try {
    return new SqliteStore(openStoreFile(path, options), { path, types, now, readOnly: options.readOnly ?? false });
  } catch (error) {
    throw toStoreError(error);
  }
}

function openStoreFile(path: string, options: SqliteStoreOptions): Connection {
  const { synchronous = "full", readOnly = false } = options;
  const timeoutMs = checkTimeout(options.busyTimeoutMs ?? storeLimits.busyTimeoutMs);
  // It holds what files and tools said.
  if (!readOnly && path !== memory) makePrivate(path);
  if (path !== memory) checkLog(path);
  const settings = { timeoutMs, checkpointPages: storeLimits.checkpointPages, readOnly };
  const { connection, seen: version } = openAndLook(path, settings, versionOf);
  try {
    if (!readOnly && path !== memory) useWriteAheadLog(connection, timeoutMs);
    connection.exec(`PRAGMA synchronous = ${synchronous === "normal" ? "NORMAL" : "FULL"};
      PRAGMA cache_size = -${storeLimits.cacheKiB}; PRAGMA secure_delete = ON; PRAGMA trusted_schema = OFF`);
    if (!readOnly) migrate(connection);
    else if (version !== migrations.length) throw notReadable(version);
    checkNewest(connection);
  } catch (error) {
    connection.close();
    throw error;
  }
  return connection;
}

/**
 * Where the end of the list of transactions was lost, every read would answer as of an earlier one, and the next commit would be
 * taken for one of the lost. No look at single versions finds that.
 */
function checkNewest(connection: Connection): void {
  const isBehind = `SELECT 1 WHERE (SELECT tx_id FROM version ORDER BY vid DESC LIMIT 1)
    > (SELECT coalesce(max(tx_id), 0) FROM tx)`;
  if (connection.get(isBehind) === undefined) return;
  throw storeError("store/corrupt", "The newest versions have lost their transactions; restore the file from a copy.", {
    sqlite: damagedFile,
  });
}

function notReadable(version: number) {
  return storeError(
    "store/unavailable",
    `The file has schema version ${version}, and reading needs ${migrations.length}; open it once for writing.`,
    { file: version, known: migrations.length },
  );
}
