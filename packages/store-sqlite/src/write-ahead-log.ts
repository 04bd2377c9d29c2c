import type { Connection } from "./connection.ts";
import { isBusy, storeError } from "./errors.ts";

/**
 * Two processes that open a new file at once can both be told "locked" at once, whatever the timeout, because each
 * waits for the other. So the wait is ours here.
 */
export function useWriteAheadLog(connection: Connection, timeoutMs: number): void {
  const deadline = performance.now() + timeoutMs;
  const pauseMs = 5;
  while (connection.pragma("PRAGMA journal_mode") !== "wal") {
    try {
      if (connection.pragma("PRAGMA journal_mode = WAL") !== "wal") throw noLog();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}

/** SQLite says so by staying with the mode it had. */
function noLog() {
  return storeError("store/unavailable", "The file system has no shared memory for SQLite's log; name a local folder.");
}
