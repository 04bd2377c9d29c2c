/** Bounds on what a recording may bring, unit last. Lines and nesting are bounded by `@cm/journal`. */
export const limits = {
  /** Lines looked at before a file counts as no session. Old transcripts begin with one summary for each past session. */
  detectionLinesMax: 10_000,
  /** A session that is one JSON document instead of lines, or many files together. */
  documentBytesMax: 128 * 1024 * 1024,
  /** Files, or rows of its database, that one session of opencode may consist of. */
  storedFilesMax: 200_000,
  /** Sessions of one database of opencode that are listed. */
  databaseSessionsMax: 100_000,
  /** Characters of a recording's id. */
  idCharsMax: 100,
  /** Skipped lines that are named one by one. */
  skippedLinesNamed: 20,
} as const;
