import { type Basis, refusals } from "@cm/object-model";
import pg from "pg";
import type { StoreAddress } from "./connection-options.ts";
import type { Database } from "./database.ts";
import { faultOf, readOnly } from "./errors.ts";
import { storeLimits } from "./limits.ts";
import { versionIn } from "./migrate.ts";
import { lockKey, notifyChannel, tellingVersion } from "./schema/migrations.ts";
import { txIdOf } from "./tokens.ts";

/** What ends a wait: a hint, the signal, or that it is time to look oneself. */
type Wake = () => void;

/**
 * Hints by LISTEN on a connection of their own, which lives while there is one who waits. Its session holds a lock in shared mode:
 * a commit that cannot have it notifies, and others do not, since a notification makes all commits of a database wait for
 * each other. Where no connection can listen, the store is asked once a second: behind a pooler, which gives each statement
 * another session, on a standby, and in a store of an older schema version, whose commits tell nothing.
 */
export class ChangeHints {
  readonly #database: Database;
  readonly #address: StoreAddress;
  readonly #waiting = new Set<Wake>();
  #listening: Promise<pg.Client | undefined> | undefined;
  #mayListen = true;
  #isOnStandby = false;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(database: Database, address: StoreAddress) {
    this.#database = database;
    this.#address = address;
  }

  /** @throws CmError `store/unknown-basis`, `store/closed`, or what reading throws */
  async wait(since: Basis, signal: AbortSignal | undefined): Promise<void> {
    const txId = txIdOf(since);
    if (Number.isNaN(txId)) throw refusals.unknownBasis();
    const isAborted = (): boolean => signal?.aborted === true;
    for (;;) {
      if (this.#isClosed) throw refusals.closed();
      const isListening = this.#mayListen && !isAborted() && (await this.#listens());
      const next = this.#next(signal, isListening ? storeLimits.listenMs : storeLimits.changePollMs);
      try {
        if (isAborted() || (await this.#newest()) > txId) return;
        await next.come;
      } finally {
        next.leave();
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wake();
    clearTimeout(this.#idle);
    const client = await this.#listening;
    this.#listening = undefined;
    await client?.end();
  }

  async #newest(): Promise<number> {
    const sql = `SELECT pg_is_in_recovery()::int AS standby, (SELECT tx_id FROM ${this.#database.schema}.find_1('', NULL, NULL, NULL,
      NULL, NULL, '', '', false, '', NULL, NULL, NULL, 1, false)) AS tx_id`;
    type Row = { standby: number; tx_id: number | null };
    const [row] = await this.#database.call((call) => call.rows<Row>(sql, []), { lost: "nothing" });
    // A standby that took over lets its connections listen.
    if (this.#isOnStandby && row?.standby === 0) {
      this.#isOnStandby = false;
      this.#mayListen = true;
    }
    return row?.tx_id ?? 0;
  }

  #next(signal: AbortSignal | undefined, ms: number): { readonly come: Promise<void>; leave(): void } {
    const { promise: come, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.#waiting.add(resolve);
    signal?.addEventListener("abort", () => resolve(), { once: true });
    clearTimeout(this.#idle);
    return {
      come,
      leave: () => {
        clearTimeout(timer);
        this.#waiting.delete(resolve);
        if (this.#waiting.size === 0) this.#endWhenIdle();
      },
    };
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }

  /** Whether a connection listens: not where the server cannot be reached now, which the next look tells. */
  async #listens(): Promise<boolean> {
    this.#listening ??= this.#listen();
    const client = await this.#listening;
    if (client === undefined) this.#listening = undefined;
    else stream(client).ref();
    return client !== undefined;
  }

  async #listen(): Promise<pg.Client | undefined> {
    const client = new pg.Client({
      ...this.#address.connection,
      connectionTimeoutMillis: storeLimits.connectMs,
      keepAlive: true,
    });
    const gone = (): void => {
      this.#listening = undefined;
      this.#wake();
    };
    client.on("error", gone);
    client.on("end", gone);
    client.on("notification", () => this.#wake());
    try {
      await client.connect();
      this.#mayListen = await tellsItsCommits(client, this.#address.schema);
      if (!this.#mayListen) throw new TypeError("No connection can listen.");
      await client.query(`SELECT pg_advisory_lock_shared(${lockKey(this.#address.schema, "listen")})`);
      await client.query(`LISTEN ${notifyChannel(this.#address.schema)}`);
      return client;
    } catch (error) {
      const fault = faultOf(error);
      if (fault?.isRefusal === true) {
        this.#mayListen = false;
        this.#isOnStandby = fault.code === readOnly;
      }
      client.off("end", gone);
      await client.end().catch(() => {});
      return undefined;
    }
  }

  #endWhenIdle(): void {
    this.#idle = setTimeout(() => {
      const listening = this.#listening;
      this.#listening = undefined;
      void listening?.then((client) => client?.end());
    }, storeLimits.idleMs).unref();
    void this.#listening?.then((client) => {
      if (client !== undefined && this.#waiting.size === 0) stream(client).unref();
    });
  }
}

/** Whether the connection is one session of a server, and the namespace's commits tell those who wait. */
async function tellsItsCommits(client: pg.Client, schema: string): Promise<boolean> {
  const { rows } = await client.query<{ pid: number; words: string }>(
    "SELECT pg_backend_pid() AS pid, coalesce(obj_description(to_regnamespace($1), 'pg_namespace'), '') AS words",
    [schema],
  );
  const { processID } = client as unknown as { readonly processID: number | null };
  return rows[0]?.pid === processID && versionIn(rows[0]?.words ?? "") >= tellingVersion;
}

/** The client's socket, which keeps a process alive; its types leave it out. */
const stream = (client: pg.Client): { ref(): void; unref(): void } =>
  (client as unknown as { readonly connection: { readonly stream: { ref(): void; unref(): void } } }).connection.stream;
