/** Bounds of a session's log, unit last. */
export const limits = {
  /** Names of tools in rows of calls; a call of a further tool is kept as an object of its own. */
  toolNamesInRowsMax: 1_000,
  /** Calls without a result whose answers left the prompt, and whose tools are known if it comes after all. */
  leftCallsMax: 100,
  /** Entries of the pool; over it, those that were used longest ago become indexed only. */
  poolEntriesMax: 1_000,
  /** Requests since the newest keyframe, of which the next one says what they were. */
  rememberedRequestsMax: 1_000,
  /** A piece of text, a path or a name that objects are listed by, in UTF-16 units. */
  queryCharsMax: 1_000,
  /** What a window in tokens is turned into bytes by: requests that the provider counted, the newest of them. */
  countedRequestsMax: 4,
  /** Bytes per token: before the provider counted anything, and at most. */
  bytesPerToken: 3,
  bytesPerTokenMax: 6,
  /** What is kept free for denser text: of an estimate, and of what was counted. */
  estimateMarginPercent: 10,
  countedMarginPercent: 5,
  /** Room for the answer where nothing says it, and its share of a small window at most. */
  answerTokens: 16_000,
  answerPercent: 25,
  /** A source's reason, as a refusal repeats it, in UTF-16 units. */
  shownReasonCharsMax: 200,
} as const;
