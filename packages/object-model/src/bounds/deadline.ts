import { setMaxListeners } from "node:events";

/**
 * The answer, or after that time what `late` gives or throws. What was asked for goes on then, and its failure is
 * ignored.
 */
export async function withDeadline<T, Late = never>(work: Promise<T>, ms: number, late: () => Late): Promise<T | Late> {
  const expired = Promise.withResolvers<Late>();
  const timer = setTimeout(() => {
    try {
      expired.resolve(late());
    } catch (error) {
      expired.reject(error);
    }
  }, ms);
  try {
    return await Promise.race([work, expired.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** What ends a piece of work before it is done. */
export interface WorkBounds {
  readonly deadlineMs: number;
  readonly signals: readonly (AbortSignal | undefined)[];
  /** What the work fails with after the deadline. */
  late(): Error;
  /** What it fails with once one of the signals speaks. */
  stopped(reason: unknown): Error;
}

/**
 * Work under one signal that a deadline and any number of signals abort.
 * @throws what the bounds say, as soon as one of them is met, whether or not the work has noticed
 */
export async function withinBounds<T>(bounds: WorkBounds, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  const ended = Promise.withResolvers<never>();
  ending.signal.addEventListener("abort", () => ended.reject(ending.signal.reason));
  const timeout = setTimeout(() => ending.abort(bounds.late()), bounds.deadlineMs);
  const listeners = bounds.signals.flatMap((signal) => {
    if (signal === undefined) return [];
    const stop = (): void => ending.abort(bounds.stopped(signal.reason));
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
    return [() => signal.removeEventListener("abort", stop)];
  });
  try {
    if (ending.signal.aborted) return await ended.promise;
    return await Promise.race([work(ending.signal), ended.promise]);
  } finally {
    clearTimeout(timeout);
    for (const stopListening of listeners) stopListening();
  }
}
