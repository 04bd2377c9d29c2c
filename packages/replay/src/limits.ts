/** Bounds of a replay, unit last. */
export const limits = {
  /** Characters of system prompt and tools that every request is taken to have, as the judge of prompts does. */
  headChars: 16_000,
  /** Characters of a needed line that was out of view, as it is told. */
  missedLineCharsMax: 80,
  /** Characters of what a call was about: a path, the start of a command. */
  targetCharsMax: 120,
  /** Outputs without further use that are told one by one, those that cost most. */
  unusedOutputsTold: 10,
} as const;
