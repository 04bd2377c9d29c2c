import type { Call } from "./call.ts";

/** Lets so many in at a time, the others in the order they came. A call that is over leaves the queue. */
export class Slots {
  #free: number;
  readonly #queue = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Waits for a slot; `release` it. */
  async enter(call: Call, endpoint: string): Promise<void> {
    call.check(endpoint);
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const enter = () => {
        call.whenStopped(undefined);
        resolve();
      };
      this.#queue.add(enter);
      call.whenStopped(() => {
        this.#queue.delete(enter);
        reject(call.error(endpoint));
      });
    });
  }

  release(): void {
    const [next] = this.#queue;
    if (next === undefined) this.#free += 1;
    else {
      this.#queue.delete(next);
      next();
    }
  }
}
