import { trackLimits as limits } from "../limits.ts";
import { SettleQueue } from "./settle-queue.ts";

/** A file or a folder: something that is looked at once it is quiet. */
export interface Scannable {
  /** Must not reject. */
  scan(): Promise<void>;
}

interface Waiter {
  /** Per thing, the number of the first scan that counts. */
  readonly left: Map<Scannable, number>;
  readonly done: () => void;
}

/** The clock and the hands of the settle queue: looks at what is due, a bounded number at a time. */
export class SettleLoop {
  readonly #queue: SettleQueue<Scannable>;
  /** Due, and waiting for a free hand. A thing stands here once, however often it becomes due. */
  readonly #work = new Set<Scannable>();
  readonly #running = new Map<Scannable, number>();
  readonly #waiters = new Set<Waiter>();
  #hands = 0;
  #looks = 0;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: { readonly settleMs: number; readonly settleWaitMs: number }) {
    this.#queue = new SettleQueue(options);
  }

  touch(thing: Scannable): void {
    if (this.#closed) return;
    if (this.#queue.touch(thing, performance.now())) this.#start([thing]);
    this.#arm();
  }

  /** Resolves when everything that waits now has been looked at, and after `ms` at the latest. */
  async flushed(ms: number): Promise<void> {
    const left = new Map<Scannable, number>();
    for (const thing of this.#running.keys()) left.set(thing, 0);
    // A look that is under way may have begun before the change, so only one that starts from now on counts.
    for (const thing of [...this.#work, ...this.#queue.waiting()]) left.set(thing, this.#looks);
    if (left.size === 0) return;
    await new Promise<void>((resolve) => {
      // This timer keeps the process alive, because a caller waits and the timers of the queue do not.
      const timer = setTimeout(() => waiter.done(), ms);
      const waiter: Waiter = {
        left,
        done: () => {
          clearTimeout(timer);
          this.#waiters.delete(waiter);
          resolve();
        },
      };
      this.#waiters.add(waiter);
    });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#queue.clear();
    this.#work.clear();
    for (const waiter of [...this.#waiters]) waiter.done();
  }

  #arm(): void {
    if (this.#timer !== undefined || this.#closed) return;
    const next = this.#queue.nextAt();
    if (next === undefined) return;
    this.#timer = setTimeout(() => this.#tick(), Math.max(1, Math.ceil(next - performance.now())));
    this.#timer.unref();
  }

  #tick(): void {
    this.#timer = undefined;
    this.#start(this.#queue.due(performance.now()));
    this.#arm();
  }

  #start(things: readonly Scannable[]): void {
    for (const thing of things) this.#work.add(thing);
    for (let free = limits.looksAtOnceMax - this.#hands; free > 0 && this.#work.size > 0; free -= 1) void this.#hand();
  }

  async #hand(): Promise<void> {
    this.#hands += 1;
    for (const thing of this.#work) {
      this.#work.delete(thing);
      const number = this.#looks;
      this.#looks += 1;
      this.#running.set(thing, number);
      await thing.scan();
      if (this.#running.get(thing) === number) this.#running.delete(thing);
      this.#scanned(thing, number);
    }
    this.#hands -= 1;
  }

  #scanned(thing: Scannable, number: number): void {
    for (const waiter of [...this.#waiters]) {
      const first = waiter.left.get(thing);
      if (first === undefined || number < first) continue;
      waiter.left.delete(thing);
      if (waiter.left.size === 0) waiter.done();
    }
  }
}
