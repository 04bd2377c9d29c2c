import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";
import { isBusy, toCommitError } from "./errors.ts";
import type { GuardedLog } from "./guarded-log.ts";
import { storeLimits } from "./limits.ts";
import type { Row } from "./whole-text.ts";
import { readableSql, withTexts, withTextsOfAll } from "./whole-text.ts";

/** A BLOB column. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** A statement, with the columns that may have to be turned into text. */
type Prepared = { readonly statement: StatementSync; readonly texts: readonly string[] };

/** `PRAGMA synchronous` of a connection whose commits wait until the disk has them. */
const waitsForDisk = 2;
/** A store waits for a lock without giving up its thread, as SQLite does. */
const pause = new Int32Array(new SharedArrayBuffer(4));

/** One connection with its prepared statements. A statement is prepared at its first use, so that opening stays cheap. */
export class Connection {
  readonly #database: DatabaseSync;
  /** Present if SQLite must not move its log automatically. */
  readonly #log: GuardedLog | undefined;
  readonly #statements = new Map<string, Prepared>();
  #busyTimeoutMs: number | undefined;
  #hasCommitted = false;

  constructor(database: DatabaseSync, log?: GuardedLog) {
    this.#database = database;
    this.#log = log;
  }

  get<R extends Row>(sql: string, ...values: SQLInputValue[]): R | undefined {
    const { statement, texts } = this.#prepared(sql);
    const row = statement.get(...values) as R | undefined;
    return row === undefined ? undefined : withTexts(row, texts);
  }

  all<R extends Row>(sql: string, ...values: SQLInputValue[]): R[] {
    const { statement, texts } = this.#prepared(sql);
    return withTextsOfAll(statement.all(...values) as R[], texts);
  }

  /** `all` with named parameters. */
  select<R extends Row>(sql: string, values: Record<string, SQLInputValue>): R[] {
    const { statement, texts } = this.#prepared(sql);
    return withTextsOfAll(statement.all(values) as R[], texts);
  }

  /** `select`, row by row. An early `break` or `return` of the caller's loop ends the statement. */
  *iterate<R extends Row>(sql: string, values: Record<string, SQLInputValue>): Iterable<R> {
    const { statement, texts } = this.#prepared(sql);
    for (const row of statement.iterate(values)) yield withTexts(row as R, texts);
  }

  /** @returns the row id of an insert */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#statement(sql).run(...values).lastInsertRowid);
  }

  /** `run` with named parameters: numbers (`?1`) are none for early Nodes 22 and 24. */
  change(sql: string, values: Record<string, SQLInputValue>): void {
    this.#statement(sql).run(values);
  }

  /** @returns the row id of an insert that may do nothing; undefined where it did nothing */
  insert(sql: string, ...values: SQLInputValue[]): number | undefined {
    const { changes, lastInsertRowid } = this.#statement(sql).run(...values);
    return Number(changes) === 0 ? undefined : Number(lastInsertRowid);
  }

  /** Statements that run once, such as a schema's. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** The first column of a PRAGMA's only row. */
  pragma(sql: string): SQLOutputValue | undefined {
    const row = this.#database.prepare(sql).get();
    return row === undefined ? undefined : Object.values(row)[0];
  }

  /** Runs the work under the write lock: all of it, or nothing. A deferred transaction could not wait for its lock. */
  write<T>(work: () => T): T {
    this.#lock();
    const result = this.#orRollBack(work);
    try {
      this.#statement("COMMIT").run();
    } catch (error) {
      this.#rollBack();
      throw toCommitError(error);
    }
    this.#hasCommitted = true;
    this.#log?.afterCommit();
    return result;
  }

  /** Runs the work on one state of the database, whatever other processes write meanwhile. */
  read<T>(work: () => T): T {
    this.#statement("BEGIN").run();
    const result = this.#orRollBack(work);
    this.#statement("COMMIT").run();
    return result;
  }

  /**
   * Moves the log into the file and empties it, so that erased pages are nowhere. Where a reader is in the way, the
   * next checkpoint does it.
   */
  truncateLog(): void {
    try {
      this.emptyLog();
    } catch {
      // The commit stands; only the log is longer.
    }
  }

  /** `truncateLog` that says whether it did. @throws an error of SQLite */
  emptyLog(): boolean {
    return this.#log?.empty() ?? this.pragma("PRAGMA wal_checkpoint(TRUNCATE)") === 0;
  }

  /** Waits until the disk has what was committed without a wait: a commit that waits takes all of the log with it. */
  settle(): void {
    if (!this.#hasCommitted || this.pragma("PRAGMA synchronous") === waitsForDisk) return;
    this.exec("PRAGMA synchronous = FULL");
    this.write(() => this.exec(`PRAGMA user_version = ${Number(this.pragma("PRAGMA user_version"))}`));
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  /**
   * Takes the write lock within the connection's busy timeout. SQLite's own wait looks ten times a second after its
   * first looks: beside several busy writers, a process can then miss every free moment until the timeout.
   */
  #lock(): void {
    this.#busyTimeoutMs ??= Number(this.pragma("PRAGMA busy_timeout"));
    const until = performance.now() + this.#busyTimeoutMs;
    this.#statement("PRAGMA busy_timeout = 0").get();
    try {
      for (;;) {
        try {
          this.#statement("BEGIN IMMEDIATE").run();
          return;
        } catch (error) {
          if (!isBusy(error) || performance.now() >= until) throw error;
        }
        Atomics.wait(pause, 0, 0, 1 + Math.random() * storeLimits.lockPollMsMax);
      }
    } finally {
      this.#statement(`PRAGMA busy_timeout = ${this.#busyTimeoutMs}`).get();
    }
  }

  #statement(sql: string): StatementSync {
    return this.#prepared(sql).statement;
  }

  #prepared(sql: string): Prepared {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const { sql: readable, texts } = readableSql(sql, this.#database);
    const prepared = { statement: this.#database.prepare(readable), texts };
    this.#statements.set(sql, prepared);
    return prepared;
  }

  #orRollBack<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  /** Some errors, a full disk for one, end the transaction by themselves. */
  #rollBack(): void {
    if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
  }
}
