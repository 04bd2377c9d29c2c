/** Bounds of the built-in example, unit last. Those of what a tool shows are Pi's own. */
export const limits = {
  /** Source files taken into the working copy; the rest of a larger folder is left out. */
  filesMax: 400,
  fileBytesMax: 256 * 1024,
  folderBytesMax: 4 * 1024 * 1024,
  folderDepthMax: 16,
  /** Parents looked through for the root of the repository. */
  parentsMax: 32,
  shownLinesMax: 2_000,
  shownBytesMax: 50 * 1024,
  /** A file that a tool opens. */
  openedBytesMax: 8 * 1024 * 1024,
  matchesDefault: 100,
  matchLineCharsMax: 500,
  /** Part of a line that a pattern is tried on. */
  searchedLineCharsMax: 10_000,
  editsMax: 50,
  commandSecondsMax: 60,
  /** Output of a command that is kept, from its end: enough for what is shown, and for a long line before it. */
  outputBytesMax: 4 * 50 * 1024,
} as const;
