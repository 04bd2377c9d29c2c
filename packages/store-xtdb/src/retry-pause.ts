import { setTimeout } from "node:timers/promises";
import { storeLimits } from "./limits.ts";

/** Waits a random while that grows with the number of attempts, so that writers who met do not meet again. */
export function pause(attempt: number): Promise<void> {
  return setTimeout(Math.random() * Math.min(storeLimits.pauseMsMax, 2 ** attempt));
}
