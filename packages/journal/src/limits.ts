/** Every bound on what a session file may bring, unit last. Passing one is an error or a counted skip, never silent. */
export const limits = {
  /** One line, without its line break. Pi cuts strings at 500,000 characters, so no honest line comes near. */
  lineBytesMax: 32 * 1024 * 1024,
  /** How much of a file is read at once. */
  chunkBytes: 256 * 1024,
  /** Nesting of arrays and objects in one line. Under the store's own bound, so that what is read can be kept. */
  jsonDepthMax: 100,
  /** Numbers of skipped lines that a journal remembers; the count goes on. */
  skippedLinesKept: 20,
  /** Oddities that a journal remembers; the count goes on. */
  problemsKept: 100,
  /** Characters of a file name that an error repeats. */
  nameCharsMax: 100,
} as const;
