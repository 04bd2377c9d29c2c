/** Bounds and assumptions of the figures that people read. */
export const figureLimits = {
  /** Tokens that Pi keeps free of a window before it compacts, where its settings do not say. */
  reserveTokens: 16_384,
  /** Tokens of the newest messages that Pi's compaction keeps, where its settings do not say. */
  keepRecentTokens: 20_000,
  /** Assumed characters of a summary, as models write them for Pi. */
  summaryChars: 4_500,
  /** The same for the start of a turn whose rest is kept. */
  turnSummaryChars: 1_800,
  /** Characters of Pi's own words in the request for a summary. */
  summaryPromptChars: 3_000,
  /** Characters of a tool's output that Pi hands over for a summary. */
  summarizedOutputChars: 2_000,
  /** Characters of a token, where the provider has reported none yet. */
  charsPerToken: 4,
  /** What is left, with each request, of the weight that the requests before it have in that. */
  remembered: 0.95,
  /** Characters that an image counts for, as Pi has it. */
  imageChars: 4_800,
  /** Percent of all input that must have been saved before the line under the prompt speaks of it. */
  savedPercentMin: 1,
  /** Bytes of Pi's settings, for what they say of compaction. */
  settingsBytesMax: 1_048_576,
  /** Models whose caches are followed in one session. */
  modelsMax: 64,
  /** Characters of a model's name, or of an entry's id. */
  nameCharsMax: 512,
} as const;
