import { setMaxListeners } from "node:events";
import { reasons, Trouble } from "./reasons.ts";

/** @throws Trouble when the time is up or one of the signals speaks, whether or not the work has noticed */
export async function within<T>(
  ms: number,
  signals: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  const ended = Promise.withResolvers<never>();
  ending.signal.addEventListener("abort", () => ended.reject(ending.signal.reason));
  const timeout = setTimeout(() => ending.abort(new Trouble(reasons.timedOut)), ms);
  const listeners = signals.flatMap((signal) => {
    if (signal === undefined) return [];
    const stop = (): void => ending.abort(signal.reason instanceof Trouble ? signal.reason : givenUp());
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

function givenUp(): Trouble {
  return new Trouble(reasons.givenUp);
}
