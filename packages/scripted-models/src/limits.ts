/** Bounds of the kit. Times are long, since a busy machine must not fail a test; nothing waits for them to pass. */
export const limits = {
  /** The size of one request of Pi. */
  requestBytesMax: 64 * 1024 * 1024,
  /** The output of one Pi; beyond it the process is killed, to protect the memory. */
  outputCharsMax: 64 * 1024 * 1024,
  /** The part of a transcript in the message of a failure. */
  tailChars: 3_000,
  /** For any one thing that a test waits for. */
  waitMs: 300_000,
  /** Between being asked to end and being killed. */
  endMs: 10_000,
  /** Between two looks at a terminal. */
  lookMs: 40,
  /** About what common tokenizers make of English text and code. */
  charsPerToken: 4,
  /** The tokens of one image in the simulated cache, independent of its bytes. */
  imageChars: 6_000,
  /** Anthropic's bounds: marks in one request, and blocks that are looked back from a mark. */
  marksMax: 4,
  lookbackBlocks: 20,
  /** Characters in one piece of a streamed answer. */
  deltaChars: 400,
} as const;
