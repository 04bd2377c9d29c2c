import { setTimeout as pause } from "node:timers/promises";
import { refusals } from "@cm/object-model";
import pg from "pg";
import { cancelStatement } from "./cancel-statement.ts";
import { columnTypes } from "./columns.ts";
import type { StoreAddress } from "./connection-options.ts";
import { faultOf, mayPass, toStoreError, unknownOutcome } from "./errors.ts";
import { storeLimits } from "./limits.ts";

export interface DatabaseOptions {
  readonly address: StoreAddress;
  readonly connections: number;
  readonly deadlineMs: number;
}

/** One statement, or several of one transaction, on a connection. */
export interface Session {
  /** Rows with the columns' names; every statement is unnamed, so it may run on any connection of a PgBouncer. */
  rows<Row>(sql: string, values: readonly unknown[]): Promise<Row[]>;
  /** Statements without values or answers. */
  run(script: string): Promise<void>;
}

export interface CallOptions {
  /**
   * What a lost answer means. `nothing`: the call only reads. `repeat`: repeating it does no harm, so it is repeated.
   * `unknown`: it is not known what was done.
   */
  readonly lost: "nothing" | "repeat" | "unknown";
  /** Default: the store's. */
  readonly deadlineMs?: number;
}

/** The connections of a store: bounded, each call with a deadline, and tried again while a server fails over. */
export class Database {
  readonly schema: string;
  readonly deadlineMs: number;
  /** How long a statement waits for its turn: so short that the server says so, before the deadline cancels it. */
  readonly lockMs: number;
  readonly #pool: pg.Pool;
  readonly #address: StoreAddress;
  #closed: Promise<void> | undefined;

  constructor({ address, connections, deadlineMs }: DatabaseOptions) {
    this.schema = `"${address.schema}"`;
    this.deadlineMs = deadlineMs;
    this.lockMs = Math.ceil(0.8 * deadlineMs);
    this.#address = address;
    this.#pool = new pg.Pool({
      ...address.connection,
      max: connections,
      connectionTimeoutMillis: Math.min(deadlineMs, storeLimits.connectMs),
      idleTimeoutMillis: storeLimits.idleMs,
      allowExitOnIdle: true,
      keepAlive: true,
    });
    // A connection that ends while it is idle is replaced by the next call.
    this.#pool.on("error", () => {});
    // One that breaks tells its statement, too. It can break in the moment in which it is handed out: a server that goes
    // greets and says so at once.
    this.#pool.on("connect", (client) => client.on("error", () => {}));
  }

  /** @throws CmError, a `store/unknown-outcome` only where `lost` says so */
  async call<T>(work: (session: Session) => Promise<T>, { lost, deadlineMs }: CallOptions): Promise<T> {
    const until = performance.now() + (deadlineMs ?? this.deadlineMs);
    let isUnknown = false;
    for (let wait: number = storeLimits.retryMsMin; ; wait = Math.min(2 * wait, storeLimits.retryMsMax)) {
      if (this.#closed !== undefined) throw refusals.closed();
      const attempt = new Attempt(this.#pool, this.#address, until);
      try {
        return await attempt.run(work);
      } catch (error) {
        const fault = faultOf(error);
        if (fault === undefined) throw error;
        if (attempt.isSent && !fault.isRefusal && lost !== "nothing") isUnknown = true;
        const isOver = performance.now() + wait >= until;
        if (isUnknown && (lost === "unknown" || isOver || !mayPass(fault))) throw unknownOutcome();
        if (isOver || !mayPass(fault)) throw toStoreError(error);
      }
      await pause(wait);
    }
  }

  /** Waits for calls that are open. Twice is fine. */
  close(): Promise<void> {
    this.#closed ??= this.#pool.end();
    return this.#closed;
  }
}

/** One try of a call: on one connection, which is kept only if nothing is known against it. */
class Attempt {
  readonly #pool: pg.Pool;
  readonly #address: StoreAddress;
  readonly #until: number;
  #isSent = false;

  constructor(pool: pg.Pool, address: StoreAddress, until: number) {
    this.#pool = pool;
    this.#address = address;
    this.#until = until;
  }

  /** Whether the server may have got a statement. */
  get isSent(): boolean {
    return this.#isSent;
  }

  async run<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let isSound = false;
    const stop = this.#cancelAtDeadline(client);
    try {
      const result = await work({
        rows: (sql, values) => this.#rows(client, sql, values),
        run: (script) => this.#run(client, script),
      });
      isSound = true;
      return result;
    } catch (error) {
      // A refused statement leaves the connection as it was, unless it was one of several in a transaction.
      const fault = faultOf(error);
      isSound = fault?.isRefusal === true && !mayPass(fault) && client.getTransactionStatus() === "I";
      throw error;
    } finally {
      stop();
      client.release(!isSound);
    }
  }

  async #rows<Row>(client: pg.PoolClient, text: string, values: readonly unknown[]): Promise<Row[]> {
    this.#isSent = true;
    const query = { text, values: [...values], types: columnTypes, queryMode: "extended" };
    return (await client.query(query as pg.QueryConfig)).rows as Row[];
  }

  async #run(client: pg.PoolClient, script: string): Promise<void> {
    this.#isSent = true;
    await client.query(script);
  }

  /**
   * The server ends the statement, or else the connection is given up: no call waits for ever. It is asked again and again,
   * since what reaches it before the statement does is of no effect.
   */
  #cancelAtDeadline(client: pg.PoolClient): () => void {
    let again: NodeJS.Timeout | undefined;
    let giveUp: NodeJS.Timeout | undefined;
    const ask = (): void => cancelStatement(client, this.#address.connection);
    const cancel = setTimeout(
      () => {
        giveUp = setTimeout(() => {
          clearInterval(again);
          destroy(client);
        }, storeLimits.cancelMs);
        again = setInterval(ask, storeLimits.cancelEveryMs);
        ask();
      },
      Math.max(0, this.#until - performance.now()),
    );
    return () => {
      clearTimeout(cancel);
      clearInterval(again);
      clearTimeout(giveUp);
    };
  }
}

function destroy(client: pg.PoolClient): void {
  (client as unknown as { readonly connection: { readonly stream: { destroy(): void } } }).connection.stream.destroy();
}
