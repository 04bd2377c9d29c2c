/** Bounds of this package, unit last. The first three are defaults of options. */
export const writeBehindLimits = {
  /** How long a call waits for the base before it is answered without. */
  deadlineMs: 250,
  /** Documents that wait to be written, as UTF-16 units of their JSON. */
  queueBytesMax: 64 * 1024 * 1024,
  /** Documents kept of what this client read or wrote lately, in the same unit. */
  knownBytesMax: 32 * 1024 * 1024,
  /** Share of that for tool calls, steps and what else is written once, beside it. */
  knownWrittenOnceShare: 1 / 16,
  /** Part of each of these caches that stays when room is made in it. */
  keptShare: 0.9,
  /** Objects whose newest token is kept. */
  knownObjectsMax: 100_000,
  /** Provisional tokens that are remembered after the write they stand for. */
  tokensMax: 100_000,
  /** Receipts of queued commits that are remembered, for repeats under their request id. */
  receiptsMax: 10_000,
  /** The first pause between two attempts to write; each is twice the one before. */
  pauseMinMs: 100,
  /** The longest pause. */
  pauseMaxMs: 5_000,
  /** A commit without an answer is sent again after so long, under its request id. */
  sendAgainMs: 30_000,
  /** Attempts that wait for one probe of the base before the next probe is sent. */
  attemptsPerProbe: 8,
  /** Attempts to settle one commit's conflicts with other writers before it counts as a fault. */
  conflictsMax: 100,
} as const;
