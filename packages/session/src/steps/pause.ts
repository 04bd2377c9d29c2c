import { setTimeout } from "node:timers/promises";
import { limits } from "../limits.ts";

/** Waits before a commit is tried again. */
export type Pause = (attempt: number) => Promise<void>;

/** Random, from a range that doubles with each attempt, so that writers who met once do not meet again. */
export function pauseMs(attempt: number, fraction: number): number {
  return fraction * Math.min(limits.retryPauseMsMax, limits.retryPauseMs * 2 ** (attempt - 1));
}

export function pauseBy(wait: (ms: number) => Promise<unknown> = setTimeout): Pause {
  return async (attempt) => {
    await wait(pauseMs(attempt, Math.random()));
  };
}
