import { limits } from "../limits.ts";

/** Says when to ask again: soon at first, then ever later. Keeps no process alive. */
export class Retry {
  readonly #onDue: () => void;
  #timer: NodeJS.Timeout | undefined;
  #pauseMs: number = limits.retryMsMin;
  #isStopped = false;

  constructor(onDue: () => void) {
    this.#onDue = onDue;
  }

  /** Nothing is waited for. */
  get isDue(): boolean {
    return this.#timer === undefined;
  }

  later(): void {
    if (this.#timer !== undefined || this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#onDue();
    }, this.#pauseMs);
    this.#timer.unref();
    this.#pauseMs = Math.min(limits.retryMsMax, this.#pauseMs * 2);
  }

  reset(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#pauseMs = limits.retryMsMin;
  }

  stop(): void {
    this.#isStopped = true;
    this.reset();
  }
}
