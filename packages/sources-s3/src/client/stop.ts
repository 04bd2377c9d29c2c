import type { S3Reason } from "./reason.ts";

/**
 * The end of a piece of work, whatever brings it: the deadline, the caller, the closing of the source. It knows why, in
 * the words that its requests then answer.
 */
export class Stop {
  readonly #controller = new AbortController();
  readonly #undo: (() => void)[] = [];
  #reason: S3Reason | undefined;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Undefined while the work may go on. */
  get reason(): S3Reason | undefined {
    return this.#reason;
  }

  now(reason: S3Reason): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#controller.abort();
    this.release();
  }

  at(deadlineMs: number, reason: S3Reason = "deadline passed"): this {
    const timer = setTimeout(() => this.now(reason), deadlineMs);
    this.#undo.push(() => clearTimeout(timer));
    return this;
  }

  /** Also when this signal aborts. */
  with(signal: AbortSignal | undefined, reason: S3Reason): this {
    if (signal === undefined) return this;
    const abort = (): void => this.now(reason);
    if (signal.aborted) abort();
    else {
      signal.addEventListener("abort", abort, { once: true });
      this.#undo.push(() => signal.removeEventListener("abort", abort));
    }
    return this;
  }

  /** Also when the other one stops, for its reason. */
  inside(outer: Stop): this {
    const abort = (): void => this.now(outer.reason ?? "deadline passed");
    if (outer.reason !== undefined) abort();
    else {
      outer.signal.addEventListener("abort", abort, { once: true });
      this.#undo.push(() => outer.signal.removeEventListener("abort", abort));
    }
    return this;
  }

  /** Takes back timers and listeners; the work is done. */
  release(): void {
    for (const undo of this.#undo.splice(0)) undo();
  }
}
