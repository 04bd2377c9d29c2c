import { limits } from "../limits.ts";

/**
 * How long a writer pauses before it tries, where others write the same session: at random within a range that doubles
 * with every attempt that is lost, and halves with every step that is written. Alone, it never pauses.
 *
 * The range follows the store and the others. It begins with the time that an attempt takes, since within that time one
 * of two must lose. And where another one writes step after step without a rest, there is no gap to hit: the more steps
 * it made meanwhile, the longer the pause may be, so that it is outlasted.
 */
export class Contention {
  #rangeMs = 0;
  #attemptMs: number = limits.retryPauseMsMin;
  #steps = 0;
  #nearSteps = 0;

  /** Others were here not long ago: who writes should look first, and leave them room. */
  get isNear(): boolean {
    return this.#nearSteps > 0;
  }

  get rangeMs(): number {
    return this.#rangeMs;
  }

  /** @param steps that others made since the last look */
  saw(steps: number): void {
    this.#steps = steps;
    if (steps > 0) this.#nearSteps = limits.nearSteps;
  }

  /** @param attemptMs from looking to the answer of the store */
  lost(attemptMs: number): void {
    this.#nearSteps = limits.nearSteps;
    this.#attemptMs = Math.max(limits.retryPauseMsMin, (this.#attemptMs + attemptMs) / 2);
    const longer = Math.max(1, this.#steps / limits.retryPauseSteps);
    const max = Math.min(limits.retryPauseMsMax, (this.#attemptMs * longer * limits.retryPauseMaxPercent) / 100);
    const min = (this.#attemptMs * limits.retryPauseMinPercent) / 100;
    this.#rangeMs = Math.min(max, Math.max(min, this.#rangeMs * 2));
  }

  won(): void {
    this.#nearSteps -= 1;
    const rangeMs = this.#rangeMs / 2;
    this.#rangeMs = rangeMs < limits.retryPauseMsMin / 2 ? 0 : rangeMs;
  }
}
