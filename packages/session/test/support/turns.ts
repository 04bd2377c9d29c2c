import type { Random } from "@cm/testkit";

/** Lets one of all waiting calls go on at a time, at random: whatever order tasks can run in comes up for some seed. */
export class Turns {
  readonly #random: Random;
  readonly #waiting: (() => void)[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  take(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** Runs tasks that take turns to their end. */
  async run(...tasks: readonly Promise<unknown>[]): Promise<void> {
    let isDone = false;
    const all = Promise.all(tasks).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      // Each writer that can continue has reached its next turn.
      await new Promise(setImmediate);
      this.#waiting.splice(this.#random.below(Math.max(1, this.#waiting.length)), 1)[0]?.();
    }
    await all;
  }
}
