import { setTimeout as pause } from "node:timers/promises";
import { refusals } from "@cm/object-model";
import pg from "pg";
import { cancelStatement } from "./cancel-statement.ts";
import { columnTypes } from "./columns.ts";
import type { StoreAddress } from "./connection-options.ts";
import { faultOf, isOutdated, mayPass, onOneServer, onStandby, toStoreError, unknownOutcome } from "./errors.ts";
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
  readonly #ages = new Ages();
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
    this.#pool.on("connect", (client) => {
      client.on("error", () => {});
      this.#ages.add(client);
    });
  }

  /** @throws CmError, a `store/unknown-outcome` only where `lost` says so */
  async call<T>(work: (session: Session) => Promise<T>, { lost, deadlineMs }: CallOptions): Promise<T> {
    const until = performance.now() + (deadlineMs ?? this.deadlineMs);
    let isUnknown = false;
    let failingUntil: number | undefined;
    for (let wait: number = storeLimits.retryMsMin; ; wait = Math.min(2 * wait, storeLimits.retryMsMax)) {
      if (this.#closed !== undefined) throw refusals.closed();
      const attempt = new Attempt(this.#pool, { address: this.#address, ages: this.#ages, until });
      try {
        const result = await attempt.run(work);
        if (lost !== "nothing" && attempt.isOnOneServer) throw onOneServer();
        return result;
      } catch (error) {
        const fault = faultOf(error);
        if (fault === undefined) throw error;
        if (attempt.isSent && !fault.isRefusal && lost !== "nothing") isUnknown = true;
        // A migration may take an hour, and is not tried for an hour.
        failingUntil ??= performance.now() + this.deadlineMs;
        const isOver = performance.now() + wait >= Math.min(until, failingUntil);
        if (isUnknown && (lost === "unknown" || isOver || !mayPass(fault))) throw unknownOutcome();
        if (isOver || !mayPass(fault)) throw toStoreError(error);
      }
      await pause(wait);
    }
  }

  /** Whether the server follows another one. @throws CmError `store/unavailable` */
  isStandby(): Promise<boolean> {
    return this.call((session) => isStandby(session), { lost: "nothing" });
  }

  /** Waits for calls that are open. Twice is fine. */
  close(): Promise<void> {
    this.#closed ??= this.#pool.end();
    return this.#closed;
  }
}

/** Which connections are older than the last sign that the server was another one. */
class Ages {
  readonly #born = new WeakMap<pg.ClientBase, number>();
  #now = 0;

  add(client: pg.ClientBase): void {
    this.#born.set(client, this.#now);
  }

  isOld(client: pg.ClientBase): boolean {
    return this.#born.get(client) !== this.#now;
  }

  /** All that are open now are old, unless this one was, which says nothing of the others. */
  outdate(client: pg.ClientBase): void {
    if (!this.isOld(client)) this.#now += 1;
  }
}

interface AttemptSetting {
  readonly address: StoreAddress;
  readonly ages: Ages;
  readonly until: number;
}

/** One try of a call: on one connection, which is kept only if nothing is known against it. */
class Attempt {
  readonly #pool: pg.Pool;
  readonly #address: StoreAddress;
  readonly #ages: Ages;
  readonly #until: number;
  #isSent = false;
  #isOnOneServer = false;

  constructor(pool: pg.Pool, { address, ages, until }: AttemptSetting) {
    this.#pool = pool;
    this.#address = address;
    this.#ages = ages;
    this.#until = until;
  }

  /** Whether the server may have got a statement. */
  get isSent(): boolean {
    return this.#isSent;
  }

  /** Whether something was committed that a synchronous standby may not have. */
  get isOnOneServer(): boolean {
    return this.#isOnOneServer;
  }

  async run<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    let isSound = false;
    client.on("notice", this.#hear);
    const session: Session = {
      rows: (sql, values) => this.#rows(client, sql, values),
      run: (script) => this.#run(client, script),
    };
    const stop = this.#cancelAtDeadline(client);
    try {
      const result = await work(session);
      isSound = true;
      return result;
    } catch (error) {
      // A refused statement leaves the connection as it was, unless it was one of several in a transaction.
      const fault = faultOf(error);
      isSound = fault?.isRefusal === true && !mayPass(fault) && client.getTransactionStatus() === "I";
      if (fault !== undefined && isOutdated(fault)) this.#ages.outdate(client);
      const other = onStandby(error);
      throw other !== undefined && (await isStandby(session)) ? other : error;
    } finally {
      stop();
      client.off("notice", this.#hear);
      client.release(!isSound);
    }
  }

  /** What the server says beside its answer when it no longer waits for a synchronous standby: the commit stays, on it alone. */
  readonly #hear = ({ file }: { readonly file?: string | undefined }): void => {
    if (file === "syncrep.c") this.#isOnOneServer = true;
  };

  async #connect(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await this.#pool.connect();
      if (!this.#ages.isOld(client)) return client;
      client.release(true);
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

async function isStandby(session: Session): Promise<boolean> {
  const [row] = await session.rows<{ standby: number }>("SELECT pg_is_in_recovery()::int AS standby", []);
  return row?.standby === 1;
}

function destroy(client: pg.PoolClient): void {
  (client as unknown as { readonly connection: { readonly stream: { destroy(): void } } }).connection.stream.destroy();
}
