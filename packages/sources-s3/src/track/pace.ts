import { limits } from "../limits.ts";

export interface Pace {
  /** Between two looks when all is well. */
  readonly pollMs: number;
  /** Objects that the last look had to ask for one by one. */
  readonly heads: number;
  /** Looks in a row that failed. */
  readonly failures: number;
  /** From 0 to below 1. */
  readonly chance: number;
}

/** How long to wait until the next look: longer for many single requests, twice as long with each failure. */
export function pauseOf({ pollMs, heads, failures, chance }: Pace): number {
  const usual = Math.max(pollMs, (heads * 1_000) / limits.headsPerSecondMax);
  const backedOff = Math.min(usual * 2 ** failures, Math.max(usual, limits.pollMsMax));
  return Math.round(backedOff * (1 + limits.jitterShare * (2 * chance - 1)));
}
