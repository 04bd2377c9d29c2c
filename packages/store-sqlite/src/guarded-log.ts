import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { storeLimits } from "./limits.ts";

export interface GuardedLogOptions {
  readonly path: string;
  readonly timeoutMs: number;
  readonly checkpointPages: number;
  readonly openAnother: () => DatabaseSync;
}

/** A frame of the log is a page and what is said of it; the log has a header before the first. */
const frameBytes = 4_096 + 24;
const headerBytes = 32;

/**
 * Keeps the write-ahead log short where SQLite is older than its fix of the log's reset (`isSafeSqlite`). There a
 * checkpoint may take the log for one that another connection has begun anew meanwhile, and a commit is lost. Only the
 * checkpoint is at fault, and only where that other connection commits during it. So SQLite makes none by itself here,
 * and ours run while a second connection of ours holds the write lock, so no other connection can commit.
 */
export class GuardedLog {
  readonly #database: DatabaseSync;
  readonly #options: GuardedLogOptions;
  readonly #bytesMax: number;
  /** The length from which on the next checkpoint is tried: further on each time that a reader was in the way. */
  #tryFromBytes: number;

  constructor(database: DatabaseSync, options: GuardedLogOptions) {
    this.#database = database;
    this.#options = options;
    this.#bytesMax = headerBytes + options.checkpointPages * frameBytes;
    this.#tryFromBytes = this.#bytesMax;
    // With no limit the file would stay as long as it ever was, and its length would say nothing.
    database.exec("PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 0");
  }

  /** A commit stands, whatever happens here: the next one tries again. */
  afterCommit(): void {
    const bytes = this.#bytes();
    if (bytes < this.#bytesMax) this.#tryFromBytes = this.#bytesMax;
    if (bytes < this.#tryFromBytes) return;
    this.#tryFromBytes = bytes + this.#bytesMax / 4;
    try {
      this.#moveIntoFile(Math.min(this.#options.timeoutMs, storeLimits.checkpointWaitMs));
    } catch {
      // Another connection writes, or the disk is full.
    }
  }

  /**
   * Moves all of it into the file and begins it anew, which leaves one page in it.
   * @returns false where others were in the way for as long as a statement waits
   * @throws an error of SQLite
   */
  empty(): boolean {
    if (this.#bytes() === 0) return true;
    const deadline = performance.now() + this.#options.timeoutMs;
    for (;;) {
      if (this.#moveIntoFile(this.#options.timeoutMs)) this.#beginAnew();
      if (this.#bytes() <= headerBytes + frameBytes) return true;
      if (performance.now() >= deadline) return false;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, storeLimits.logPauseMs);
    }
  }

  /** @returns whether all of the log is in the file */
  #moveIntoFile(waitMs: number): boolean {
    const gate = this.#options.openAnother();
    try {
      gate.exec(`PRAGMA busy_timeout = ${waitMs}; PRAGMA wal_autocheckpoint = 0; BEGIN IMMEDIATE`);
      const moved = this.#database.prepare("PRAGMA wal_checkpoint(PASSIVE)").get();
      gate.exec("ROLLBACK");
      return moved?.busy === 0 && moved.log === moved.checkpointed;
    } finally {
      gate.close();
    }
  }

  /** Writes one frame. If the whole log is already in the file, this frame begins a new log and truncates it. */
  #beginAnew(): void {
    const version = Number(this.#database.prepare("PRAGMA user_version").get()?.user_version);
    this.#database.exec(`PRAGMA user_version = ${version}`);
  }

  #bytes(): number {
    return statSync(`${this.#options.path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  }
}
