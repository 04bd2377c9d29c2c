import { setImmediate, setTimeout } from "node:timers/promises";

/** Resolves after the time. After an abort of the signal the result is unused, and the promise may reject. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/**
 * A timer that keeps no process alive. Where the loop was busy for so long, the answer may be there and not heard yet:
 * it has one turn more.
 */
export const timer: Wait = async (ms, signal) => {
  await setTimeout(ms, undefined, { signal, ref: false });
  // With a reference: without one the loop would sleep before it comes to it.
  await setImmediate(undefined, { signal });
};

/** The call's answer; undefined if it takes longer. The call then continues, and its failure is ignored here. */
export async function raceDeadline<T>(
  call: Promise<T>,
  ms: number,
  wait: Wait,
): Promise<{ readonly answer: T } | undefined> {
  const stop = new AbortController();
  try {
    return await Promise.race([call.then((answer) => ({ answer })), wait(ms, stop.signal).then(() => undefined)]);
  } finally {
    stop.abort();
  }
}
