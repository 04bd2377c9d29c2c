interface Waiting {
  readonly firstAt: number;
  readonly lastAt: number;
}

/**
 * Which things had enough quiet to be looked at. A thing is due `settleMs` after it was last touched, or once
 * `settleWaitMs` have passed since the first touch, so that a file that is written all the time is still looked at.
 * Pure: the caller brings the time, in milliseconds of any steady clock.
 */
export class SettleQueue<T> {
  /** In the order of the last touch, so the front is the next to be due. */
  readonly #waiting = new Map<T, Waiting>();
  readonly #settleMs: number;
  readonly #waitMs: number;

  constructor(options: { readonly settleMs: number; readonly settleWaitMs: number }) {
    this.#settleMs = options.settleMs;
    this.#waitMs = options.settleWaitMs;
  }

  /** True if the thing has waited too long already: it is taken out and is due at once. */
  touch(thing: T, now: number): boolean {
    const firstAt = this.#waiting.get(thing)?.firstAt ?? now;
    this.#waiting.delete(thing);
    if (now - firstAt >= this.#waitMs) return true;
    this.#waiting.set(thing, { firstAt, lastAt: now });
    return false;
  }

  /** Takes out everything that is due. */
  due(now: number): readonly T[] {
    const due: T[] = [];
    for (const [thing, { lastAt }] of this.#waiting) {
      if (now - lastAt < this.#settleMs) break;
      due.push(thing);
    }
    for (const thing of due) this.#waiting.delete(thing);
    return due;
  }

  /** When the next thing is due; undefined if nothing waits. */
  nextAt(): number | undefined {
    for (const { lastAt } of this.#waiting.values()) return lastAt + this.#settleMs;
    return undefined;
  }

  waiting(): readonly T[] {
    return [...this.#waiting.keys()];
  }

  clear(): void {
    this.#waiting.clear();
  }
}
