import { XtdbError } from "./errors.ts";
import { clientLimits } from "./limits.ts";

/** The common options of every call. */
export interface CallOptions {
  /** Ends the call with `xtdb/aborted`, or with `xtdb/unknown-outcome` where a submit is under way. */
  readonly signal?: AbortSignal | undefined;
  /** How long the call may take in all, in milliseconds. */
  readonly deadlineMs?: number | undefined;
}

/** One call's time: its deadline and its caller's signal, over all queues, attempts and bodies. `end` it. */
export class Call {
  readonly #endsAt: number;
  readonly #timer: NodeJS.Timeout;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort: () => void;
  #stopped: "deadline" | "aborted" | undefined;
  #listener: (() => void) | undefined;

  constructor(options: CallOptions, deadlineMsDefault: number) {
    const deadlineMs = checkDeadline(options.deadlineMs ?? deadlineMsDefault);
    this.#endsAt = performance.now() + deadlineMs;
    this.#timer = setTimeout(() => this.#stop("deadline"), deadlineMs);
    this.#signal = options.signal;
    this.#onAbort = () => this.#stop("aborted");
    if (this.#signal?.aborted) this.#stop("aborted");
    else this.#signal?.addEventListener("abort", this.#onAbort);
  }

  /** Why the call is over, if it is. */
  get stopped(): "deadline" | "aborted" | undefined {
    return this.#stopped;
  }

  /** At least 1. */
  remainingMs(): number {
    return Math.max(1, Math.floor(this.#endsAt - performance.now()));
  }

  /** A call does one thing at a time, so there is one listener: what to do when it stops. */
  whenStopped(listener: (() => void) | undefined): void {
    this.#listener = listener;
    if (this.#stopped !== undefined) listener?.();
  }

  /** Throws if the call is over. */
  check(endpoint: string): void {
    if (this.#stopped !== undefined) throw this.error(endpoint);
  }

  /** The error for a call that is over before anything was submitted. */
  error(endpoint: string): XtdbError {
    return this.#stopped === "aborted"
      ? new XtdbError("xtdb/aborted", `${endpoint}: the caller's signal ended the call.`, { endpoint })
      : new XtdbError("xtdb/deadline", `${endpoint}: no answer in time; ask again or with a longer deadlineMs.`, {
          endpoint,
        });
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener("abort", this.#onAbort);
    this.#listener = undefined;
  }

  #stop(why: "deadline" | "aborted"): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = why;
    this.#listener?.();
  }
}

/** Milliseconds from 1 to `deadlineMsMax`. */
export function checkDeadline(deadlineMs: number): number {
  if (!(deadlineMs >= 1 && deadlineMs <= clientLimits.deadlineMsMax)) {
    throw new XtdbError("xtdb/invalid", `deadlineMs is a number from 1 to ${clientLimits.deadlineMsMax}.`);
  }
  return deadlineMs;
}
