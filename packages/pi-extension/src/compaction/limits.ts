/** Bounds of what compactions write, ask for and wait for, unit last. */
export const compactionLimits = {
  /** What is written without a model, in UTF-16 units: all of it, or what stands beside a model's summary. */
  summaryCharsMax: 32_000,
  /** Of a model's summary. */
  modelCharsMax: 64_000,
  /** Of one output, and of one argument, in what a model is to sum up. */
  resultCharsMax: 2_000,
  argumentCharsMax: 2_000,
  /** Of what Pi's settings keep free, how much a summary may have, in percent. */
  summaryPercent: 80,
  /** What is summed up has so many characters for each token of the window at most, but never less than this in all. */
  charsPerSummedToken: 3,
  conversationCharsMin: 8_000,
  /** For how long a model is waited for. */
  summaryMs: 180_000,
  /** Of why a model gave none, in a notice. */
  reasonCharsMax: 200,
  /** Prompts of the user that it quotes: the first one and the newest. */
  promptsMax: 12,
  promptCharsMax: 600,
  filesMax: 60,
  pathCharsMax: 300,
  answerCharsMax: 2_000,
  instructionsCharsMax: 1_000,
  /** Of an earlier summary by another author, which nothing else holds any more. */
  previousCharsMax: 12_000,
  /** Of a prompt that the provider refused as too large, what the next one may weigh, in percent. */
  refusedPercent: 60,
  /** The same once a smaller one was taken, for as long as the model stays. */
  acceptedPercent: 90,
  /** Below this no prompt is tried, in bytes: what is needed to go on stands in it. */
  promptBytesMin: 4_096,
  /** After `/compact` a prompt is to weigh so much of what it weighed at most, in percent. */
  compactPercent: 50,
  /** And so many bytes for each token that Pi's settings keep at most: what Pi alone would send. */
  bytesPerKeptToken: 4,
  /** With less than that left out, in percent, there is nothing to compact. */
  worthPercent: 10,
  /** What a summary that the model reads is taken to weigh before there is one. */
  toldBytes: 6_000,
  /** The assumed size of a token without a count, and of a picture, as Pi takes them; in UTF-16 units. */
  charsPerToken: 4,
  imageChars: 4_800,
  /** For how long a compaction waits for what the session knows. */
  factsMs: 1_000,
  /** Objects that it asks for. */
  listedMax: 1_000,
} as const;
