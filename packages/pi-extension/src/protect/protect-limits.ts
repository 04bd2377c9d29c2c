/** Bounds of what a session protects. */
export const protectLimits = {
  /** Patterns of each kind that a session protects, and characters of one. */
  patternsMax: 100,
  patternCharsMax: 500,
  /** The newest prompts that may be protected. */
  promptsMax: 1_000,
} as const;
