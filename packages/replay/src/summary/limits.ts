/** Bounds of the figures over several sessions, unit last. */
export const limits = {
  /** Draws of sessions, with repetition, from which an interval is read. */
  resamples: 1_000,
  /** The first draw; the same for all policies, so that they are drawn alike. */
  seed: 21,
  /** The interval leaves out this share of the draws at either end. */
  tailShare: 0.05,
} as const;
