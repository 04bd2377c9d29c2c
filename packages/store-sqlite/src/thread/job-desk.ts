import type { StateCache } from "@cm/object-model";
import { checkTimeout } from "../errors.ts";
import { storeLimits } from "../limits.ts";
import { openStoreHere } from "../open-store.ts";
import type { SqliteStore } from "../sqlite-store.ts";
import { openStateCache } from "../state-cache.ts";
import { ended } from "./faults.ts";
import type { Order, ThreadOptions } from "./messages.ts";
import { patiently } from "./patiently.ts";

/** Does what the orders say, on the store and the state caches that live in this thread. */
export class JobDesk {
  readonly #caches = new Map<number, StateCache>();
  #store: SqliteStore | undefined;
  #busyTimeoutMs = 0;
  #nowMs: number | undefined;

  /** @throws CmError as the store does */
  async do(order: Order): Promise<unknown> {
    this.#nowMs = order.nowMs;
    switch (order.job) {
      case "openCache":
      case "loadStates":
      case "saveStates":
      case "closeCache":
        return this.#doForCache(order);
      case "open":
        return this.#open(order.given);
      default:
        return patiently(this.#busyTimeoutMs, () => this.#doOn(this.#opened(), order));
    }
  }

  async #open(options: ThreadOptions): Promise<{ readonly path: string }> {
    this.#busyTimeoutMs = checkTimeout(options.busyTimeoutMs ?? storeLimits.busyTimeoutMs);
    const busyTimeoutMs = Math.min(this.#busyTimeoutMs, storeLimits.threadLockSliceMs);
    const now = () => this.#nowMs ?? Date.now();
    this.#store = await patiently(this.#busyTimeoutMs, () => openStoreHere({ ...options, busyTimeoutMs, now }));
    return { path: this.#store.path };
  }

  #opened(): SqliteStore {
    if (this.#store === undefined) throw ended();
    return this.#store;
  }

  #doOn(store: SqliteStore, order: Order): Promise<unknown> {
    switch (order.job) {
      case "read":
        return store.getMany(order.given.ids, order.given.at);
      case "readPacked":
        return store.getPacked(order.given.ids, order.given.at);
      case "commit":
        return store.commitChecked(() => order.given);
      case "history":
        return store.history(order.given.id, order.given.page);
      case "find":
        return store.findChecked(() => order.given);
      case "erase":
        return store.erase(order.given.named, order.given.reason);
      case "check":
        return store.check();
      default:
        return store.close();
    }
  }

  async #doForCache(order: Extract<Order, { job: `${string}Cache` | `${string}States` }>): Promise<unknown> {
    const cache = this.#caches.get(order.given.cache);
    switch (order.job) {
      case "openCache":
        this.#caches.set(order.given.cache, openStateCache(order.given));
        return undefined;
      case "loadStates":
        return cache?.load(order.given.ids);
      case "saveStates":
        return cache?.save(order.given.states);
      case "closeCache":
        this.#caches.delete(order.given.cache);
        return cache?.close?.();
    }
  }
}
