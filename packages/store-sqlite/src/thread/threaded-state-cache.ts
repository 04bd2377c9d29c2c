import { isCmError, type KnownState, type StateCache } from "@cm/object-model";
import type { StoreThread } from "./store-thread.ts";

/** A state cache in a store's thread. Whatever happens to the thread, it knows nothing then. */
export class ThreadedStateCache implements StateCache {
  readonly contract = "state-cache/1";
  readonly #thread: StoreThread;
  readonly #cache: number;

  constructor(thread: StoreThread, cache: number) {
    this.#thread = thread;
    this.#cache = cache;
  }

  async load(ids: readonly string[]): Promise<ReadonlyMap<string, KnownState>> {
    const known = await orNothing(this.#thread.ask("loadStates", { cache: this.#cache, ids }));
    return known ?? new Map();
  }

  async save(states: ReadonlyMap<string, KnownState>): Promise<void> {
    await orNothing(this.#thread.ask("saveStates", { cache: this.#cache, states: new Map(states) }));
  }

  async close(): Promise<void> {
    await orNothing(this.#thread.ask("closeCache", { cache: this.#cache }));
  }
}

async function orNothing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isCmError(error)) return undefined;
    throw error;
  }
}
