/** Bounds of live runs, unit last. Those of what a tool shows are the example's. */
export const limits = {
  /** The limits of one run of one task. */
  stepsMax: 100,
  tokensMax: 3_000_000,
  taskMs: 30 * 60 * 1_000,
  outputTokensMax: 8_192,
  /** Share of a small window that is kept for the answer. */
  answerShareMax: 0.25,
  callsPerAnswerMax: 32,
  /** The limits of one request to the endpoint. */
  requestMs: 10 * 60 * 1_000,
  requestBytesMax: 32 * 1024 * 1024,
  answerBytesMax: 8 * 1024 * 1024,
  retriesMax: 5,
  retryPauseMsMin: 500,
  retryAfterMsMax: 60_000,
  entriesListedMax: 500,
  tasksMax: 200,
  repetitionsMax: 100,
  promptsMax: 20,
  taskFilesMax: 400,
  taskBytesMax: 4 * 1024 * 1024,
  taskDepthMax: 16,
  faultsMax: 100,
  checkSecondsMax: 60,
  quotesMax: 50,
  quoteCharsMax: 2_000,
  /** The length of a quote without surrounding white space; a shorter text is in any file. */
  quoteCharsMin: 12,
  patternCharsMax: 500,
  answerCharsMax: 1_000,
  endpointReasonCharsMax: 64,
} as const;
