import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Connection } from "./connection.ts";
import { checkPath, checkTimeout, isDamage, storeError, toStoreError } from "./errors.ts";
import { storeLimits } from "./limits.ts";
import { checkLog } from "./log-damage.ts";
import { versionOf } from "./migrations.ts";
import { openConnection } from "./open-connection.ts";
import { checkIndex, remakeIndex } from "./text-index.ts";

export interface CompactOptions {
  /** The file of a store. */
  readonly path: string;
  /** How long to wait for those who are writing or reading. It blocks the thread meanwhile. */
  readonly busyTimeoutMs?: number;
}

export interface CompactReceipt {
  /** The file and its log. */
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/**
 * Writes the file anew from what is in it, and empties its log: what was erased is then in neither, and the room it took
 * is free. A damaged index of texts is emptied; searches fill it again. It needs as much free space as the file takes, and
 * what fails leaves the file as it was. Others may have the file open meanwhile.
 * @throws CmError `store/unavailable` where the file is no store's, or others keep it busy; `store/corrupt`
 */
export function compactSqliteStore(options: CompactOptions): CompactReceipt {
  const path = resolve(checkPath(options.path));
  const timeoutMs = checkTimeout(options.busyTimeoutMs ?? storeLimits.busyTimeoutMs);
  // Opening would make it.
  if (!existsSync(path)) throw storeError("store/unavailable", "There is no such file; name that of a store.");
  checkLog(path);
  const bytesBefore = bytesOf(path);
  try {
    const connection = openConnection(path, { timeoutMs, checkpointPages: storeLimits.checkpointPages });
    try {
      compact(connection);
    } finally {
      connection.close();
    }
  } catch (error) {
    throw toStoreError(error);
  }
  return { bytesBefore, bytesAfter: bytesOf(path) };
}

function compact(connection: Connection): void {
  const version = versionOf(connection);
  if (version === 0) throw storeError("store/unavailable", "The file is empty; name that of a store.");
  connection.exec("PRAGMA secure_delete = ON; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF");
  if (version >= 2) connection.write(() => mendIndex(connection));
  connection.exec("VACUUM");
  if (connection.emptyLog()) return;
  throw storeError(
    "store/unavailable",
    "The file is compact, but another process reads the old state, so its log still holds it; compact again.",
  );
}

function mendIndex(connection: Connection): void {
  try {
    checkIndex(connection);
  } catch (error) {
    if (!isDamage(error)) throw error;
    remakeIndex(connection);
  }
}

function bytesOf(path: string): number {
  return [path, `${path}-wal`].reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
}
