/** Every bound on what a session file may bring, unit last. Passing one is an error or a counted skip, never silent. */
export const limits = {
  /** One line, without its line break. Pi cuts strings at 500,000 characters, so no honest line comes near. */
  lineBytesMax: 32 * 1024 * 1024,
  /** A file that is opened to be written, which is read as one text. */
  sessionBytesMax: 500_000_000,
  /** How much of a file is read at once. */
  chunkBytes: 256 * 1024,
  /** Nesting of arrays and objects in one line. Under the store's own bound, so that what is read can be kept. */
  jsonDepthMax: 100,
  /** Numbers of skipped lines that a journal remembers; the count goes on. */
  skippedLinesKept: 20,
  /** Oddities that a journal remembers; the count goes on. */
  problemsKept: 100,
  /** Entries that are looked for in one line that is no JSON as a whole. */
  joinedLinesMax: 64,
  /** Characters of one string in a file; memory keeps the whole. The notice of the cut counts. */
  persistedStringCharsMax: 500_000,
  /** Base64 characters from which an image goes to the blob store. */
  blobBase64CharsMin: 1024,
  /** What is read of each file to list sessions. */
  listedPrefixBytes: 4096,
  /** What is read of a file where its header is longer than that. */
  listedHeaderBytes: 1024 * 1024,
  /** Files that are read at a time to list sessions. */
  listedFilesAtOnce: 32,
  /** Characters of a session's name in a list. */
  listedNameCharsMax: 40,
  /** How long to wait for another process that rewrites the same file. */
  lockWaitMs: 10_000,
  /** Other rewrites of the same file that one rewrite lets go first. */
  lockHoldersMax: 10_000,
  /** Characters that a rewrite puts together before they are written. */
  rewriteCharsAtOnce: 1_000_000,
  /** Prompts that one question to the prompt history gives. */
  promptsMax: 1000,
  /** Words of a search in the prompt history. */
  searchWordsMax: 64,
  /** Characters of a file name that an error repeats. */
  nameCharsMax: 100,
} as const;
