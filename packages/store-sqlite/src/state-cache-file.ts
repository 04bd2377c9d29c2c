import { existsSync, renameSync, rmSync } from "node:fs";
import type { Connection } from "./connection.ts";
import { isDamage, storeError } from "./errors.ts";
import { storeLimits } from "./limits.ts";
import { openConnection } from "./open-connection.ts";
import { makePrivate } from "./private-file.ts";
import { useWriteAheadLog } from "./write-ahead-log.ts";

/** "CMC1": marks a file as a state cache of ours. */
const applicationId = 0x434d4331;
const version = 1;

const schema = `
-- saved: the number of the call that saved the entry, so that the oldest ones can go first. Ids are ordered text.
CREATE TABLE known(id TEXT PRIMARY KEY, saved INTEGER NOT NULL, source_hash TEXT, hint TEXT, absent INTEGER NOT NULL)
  STRICT, WITHOUT ROWID;
CREATE INDEX known_by_age ON known(saved);
PRAGMA application_id = ${applicationId};
PRAGMA user_version = ${version};
`;

/**
 * Opens the file. One that is damaged, or of another version, is set aside as `<path>.replaced` and a fresh one made: what
 * it knew costs a look.
 * @throws CmError `store/unavailable` for a database of another program, which stays as it is
 */
export function openCacheFile(path: string): Connection {
  try {
    return openAsItIs(path) ?? openFresh(path);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return openFresh(path);
  }
}

/** Puts a fresh file in the place of a damaged one. */
export function openFresh(path: string): Connection {
  setAside(path);
  const connection = openAsItIs(path);
  if (connection !== undefined) return connection;
  throw storeError("store/unavailable", "The state cache is being replaced by another process; try again.");
}

/** Undefined for a cache of another version. */
function openAsItIs(path: string): Connection | undefined {
  const { cacheBusyTimeoutMs: timeoutMs, cacheCheckpointPages: checkpointPages } = storeLimits;
  makePrivate(path);
  const connection = openConnection(path, { timeoutMs, checkpointPages });
  try {
    if (isOurs(connection)) return connection;
    connection.close();
    return undefined;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function isOurs(connection: Connection): boolean {
  useWriteAheadLog(connection, storeLimits.cacheBusyTimeoutMs);
  // A lost entry costs a look, so nothing waits for the disk but the checkpoints, which keep the file whole.
  connection.exec("PRAGMA synchronous = NORMAL; PRAGMA trusted_schema = OFF");
  connection.exec(`PRAGMA cache_size = -${storeLimits.stateCacheKiB}`);
  if (connection.pragma("PRAGMA application_id") === 0) makeSchema(connection);
  if (connection.pragma("PRAGMA application_id") !== applicationId) throw foreign();
  return connection.pragma("PRAGMA user_version") === version;
}

function makeSchema(connection: Connection): void {
  connection.write(() => {
    // Another process may have been faster.
    if (connection.pragma("PRAGMA application_id") !== 0) return;
    if (connection.pragma("SELECT count(*) FROM sqlite_schema") !== 0) throw foreign();
    connection.exec(schema);
  });
}

function setAside(path: string): void {
  if (existsSync(path)) renameSync(path, `${path}.replaced`);
  for (const suffix of ["-wal", "-shm", "-journal"]) rmSync(`${path}${suffix}`, { force: true });
}

function foreign() {
  return storeError("store/unavailable", "The file is a database of another program; name another path.");
}
