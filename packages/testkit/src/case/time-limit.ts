import assert from "node:assert/strict";
import { limits } from "../limits.ts";

/** What a caller may say of the run of one case. */
export interface CaseOptions {
  /** Milliseconds until the case fails and is named, instead of waiting for ever. Default: `limits.caseMs`. */
  readonly timeoutMs?: number;
}

/** @throws TypeError for a limit that a timer cannot keep */
export function timeLimitOf({ timeoutMs = limits.caseMs }: CaseOptions): number {
  if (Number.isFinite(timeoutMs) && timeoutMs > 0 && timeoutMs <= limits.caseMsMax) return timeoutMs;
  throw new TypeError(`timeoutMs is ${timeoutMs}; give milliseconds, more than 0 and at most ${limits.caseMsMax}.`);
}

export class TimeLimitError extends assert.AssertionError {}

/** One limit over several waits. Once it has passed, every wait ends; `stop` leaves no timer behind. */
export class TimeLimit {
  readonly #passed = Promise.withResolvers<never>();
  readonly #timer: NodeJS.Timeout;
  #awaited = "";

  /** `message` is told what was awaited when the time was over. */
  constructor(ms: number, message: (awaited: string) => string) {
    this.#passed.promise.catch(() => undefined);
    this.#timer = setTimeout(() => {
      this.#passed.reject(new TimeLimitError({ message: message(this.#awaited) }));
    }, ms);
  }

  wait<T>(awaited: string, work: Promise<T>): Promise<T> {
    this.#awaited = awaited;
    return Promise.race([work, this.#passed.promise]);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
