import { type Dispatcher, Pool } from "undici";
import { type Address, loopbackLookup } from "./address.ts";
import { clientLimits } from "./limits.ts";
import { Slots } from "./slots.ts";

/** One node: its connections, its queue of waits, and whether it is worth asking. */
export class Node {
  readonly origin: string;
  readonly basePath: string;
  readonly awaits = new Slots(clientLimits.awaitsPerNodeMax);
  readonly #mustBeLoopback: boolean;
  #pool: Pool;
  #closing: Promise<void>[] = [];
  #restMs = 0;
  #restsUntil = 0;
  /** A transaction that this node is known to have indexed: waiting for it takes no time and so no slot. */
  #indexedTxId = -1;

  constructor({ origin, basePath, mustBeLoopback }: Address) {
    this.origin = origin;
    this.basePath = basePath;
    this.#mustBeLoopback = mustBeLoopback;
    this.#pool = this.#connect();
  }

  get connections(): Dispatcher {
    return this.#pool;
  }

  isResting(now: number): boolean {
    return now < this.#restsUntil;
  }

  hasIndexed(txId: number): boolean {
    return txId <= this.#indexedTxId;
  }

  answered(): void {
    this.#restMs = 0;
    this.#restsUntil = 0;
  }

  indexed(txId: number): void {
    this.#indexedTxId = Math.max(this.#indexedTxId, txId);
  }

  /** Others come first for a while. No timer: the next call looks at the clock. */
  rest(now: number): void {
    this.#restMs = Math.min(Math.max(clientLimits.nodeRestMs, this.#restMs * 2), clientLimits.nodeRestMsMax);
    this.#restsUntil = now + this.#restMs;
    // It may come back with an older index.
    this.#indexedTxId = -1;
  }

  /**
   * Starts afresh. XTDB closes a connection after a query that failed while rows streamed, without saying so in the
   * answer: a submit on it would be lost with an unknown outcome.
   */
  reconnect(): void {
    const old = this.#pool;
    this.#pool = this.#connect();
    const closing = old.close().then(() => {
      this.#closing = this.#closing.filter((other) => other !== closing);
    });
    this.#closing.push(closing);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#closing, this.#pool.close()]);
  }

  #connect(): Pool {
    return new Pool(this.origin, {
      connections: clientLimits.connectionsPerNodeMax,
      keepAliveTimeout: clientLimits.idleConnectionMs,
      // One request on a connection at a time: what a reset means for a submit is then certain.
      allowH2: false,
      connect: {
        timeout: clientLimits.connectMs,
        ...(this.#mustBeLoopback ? { lookup: loopbackLookup } : {}),
      },
    });
  }
}
