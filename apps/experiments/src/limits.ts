/** Bounds of the app, unit last. */
export const limits = {
  /** Characters of system prompt and tools that every request is taken to have, as the judge of prompts does. */
  headChars: 16_000,
  /** Recordings of one command. */
  filesMax: 1_000,
  /** Paths taken from the output of one call. */
  discoveredPathsMax: 900,
  /** Characters of what a call was about: a path, the start of a command. */
  targetCharsMax: 120,
  /** Warnings kept of one run. */
  warningsMax: 20,
} as const;
