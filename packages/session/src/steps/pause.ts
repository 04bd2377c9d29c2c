import { setTimeout } from "node:timers/promises";

/** Waits at random, up to this many milliseconds. */
export type Pause = (rangeMs: number) => Promise<void>;

/** The one place where a session waits by the clock. Random, so that writers who met once do not meet again. */
export function pauseBy(wait: (ms: number) => Promise<unknown> = setTimeout): Pause {
  return async (rangeMs) => {
    await wait(Math.random() * rangeMs);
  };
}
