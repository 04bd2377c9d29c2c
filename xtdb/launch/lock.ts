import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { nodeLimits } from "./limits.ts";
import { NodeError } from "./node-error.ts";

export interface LockOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called once if another process holds the lock. */
  readonly onWait?: () => void;
  readonly waitMs?: number;
}

/**
 * Runs `work` while no other process on this machine runs work under the same file.
 *
 * The file is an empty SQLite database held in an exclusive transaction: the operating system takes that lock away
 * when its holder dies, however it dies, so there is no stale lock to recognise and no process id to mistake.
 */
export async function withLock<T>(file: string, work: () => Promise<T>, options: LockOptions = {}): Promise<T> {
  mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    await acquire(database, options);
    return await work();
  } finally {
    database.close();
  }
}

async function acquire(database: DatabaseSync, options: LockOptions): Promise<void> {
  const { signal, onWait, waitMs = nodeLimits.lockWaitMs } = options;
  const deadline = Date.now() + waitMs;
  for (let look = 0; !tryBegin(database); look++) {
    if (look === 0) onWait?.();
    if (Date.now() > deadline) {
      throw new NodeError("node/busy", "Another process has been preparing XTDB for too long; stop it and try again.");
    }
    await pause(nodeLimits.lockLookMs, undefined, signal === undefined ? {} : { signal }).catch((cause: unknown) => {
      throw new NodeError("node/aborted", "Preparing XTDB was interrupted.", cause);
    });
  }
}

function tryBegin(database: DatabaseSync): boolean {
  try {
    database.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    const busy = 5;
    if (error instanceof Error && "errcode" in error && error.errcode === busy) return false;
    throw error;
  }
}
