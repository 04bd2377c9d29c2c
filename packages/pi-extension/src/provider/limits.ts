/** Bounds of what is asked of a provider, unit last. */
export const providerLimits = {
  /** Room for the answer that is kept of a window at most, however much a model could say. */
  answerTokensMax: 32_000,
  /** The same in percent of the window. */
  answerPercentMax: 50,
  /** The same where Pi keeps more free than that. */
  smallAnswerPercent: 25,
  /** What Pi keeps free before it wants to compact, where its settings do not say. */
  reserveTokens: 16_384,
  /** Marks in one request, system and tools included: providers refuse more. */
  marksMax: 4,
  /** Messages that are looked at to find again where prompt and payload agree. */
  apartMessagesMax: 12,
  /** Messages on which they may disagree before nothing is marked in between. */
  strangeMessagesMax: 200,
  /** Requests that are looked at for changes by others; who changes prompts does so from the first. */
  looksMax: 100,
  /** What a token that writes the cache may cost, relative to a plain one; more is a slip in a list of models. */
  writePriceMax: 4,
} as const;
