/** Bounds of a summary that needs no model, unit last. */
export const compactionLimits = {
  /** All of it, in UTF-16 units. */
  summaryCharsMax: 16_000,
  /** Prompts of the user that it quotes: the first one and the newest. */
  promptsMax: 12,
  promptCharsMax: 600,
  filesMax: 60,
  pathCharsMax: 300,
  answerCharsMax: 2_000,
  instructionsCharsMax: 1_000,
  /** Of a summary that somebody else wrote before, which nothing else holds any more. */
  previousCharsMax: 3_000,
  /** Of a prompt that the provider refused as too large, what the next one may weigh, in percent. */
  refusedPercent: 60,
  /** The same once a smaller one was taken, for as long as the model stays. */
  acceptedPercent: 90,
  /** Below this no prompt is tried, in bytes: what is needed to go on stands in it. */
  promptBytesMin: 4_096,
  /** After `/compact` a prompt weighs so much of what it weighed at most, in percent. */
  compactPercent: 50,
  /** Bytes for each token that Pi's settings keep: what is smaller than that stays. */
  bytesPerKeptToken: 3,
  /** For how long a compaction waits for what the session knows. */
  factsMs: 1_000,
  /** Objects that it asks for. */
  listedMax: 1_000,
} as const;
