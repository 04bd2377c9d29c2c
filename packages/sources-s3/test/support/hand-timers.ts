import type { Timers } from "../../src/index.ts";

interface Waiting {
  readonly callback: () => void;
  readonly ms: number;
}

/** Timers that go off when a test says so. */
export class HandTimers implements Timers {
  readonly #waiting = new Set<Waiting>();
  #onSet: (() => void) | undefined;

  set(callback: () => void, ms: number): unknown {
    const waiting = { callback, ms };
    this.#waiting.add(waiting);
    this.#onSet?.();
    return waiting;
  }

  clear(handle: unknown): void {
    this.#waiting.delete(handle as Waiting);
  }

  /** The pauses that are being waited for, in ms. */
  get pauses(): readonly number[] {
    return [...this.#waiting].map(({ ms }) => ms);
  }

  /** Lets the one timer go off, and resolves with the next pause once that is set. */
  async next(): Promise<number> {
    const [waiting, ...others] = this.#waiting;
    if (waiting === undefined || others.length > 0) throw new Error(`There are ${this.#waiting.size} timers, not one.`);
    this.#waiting.delete(waiting);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onSet = resolve;
    waiting.callback();
    await promise;
    this.#onSet = undefined;
    const [pause] = this.pauses;
    if (pause === undefined) throw new Error("No timer was set.");
    return pause;
  }
}
