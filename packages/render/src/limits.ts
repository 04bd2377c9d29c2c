/** Every bound on what comes from outside, unit last. */
export const limits = {
  /** A one-line field as it stands in a header or pool line, quotes included, in UTF-16 units. */
  fieldCharsMax: 512,
  /** What a reference says of the call's target: a path, or the start of a command or pattern, in UTF-16 units. */
  targetCharsMax: 28,
  /** Edits that a diff on arrival may find before it gives up, in lines. A count, not a time: the bytes must repeat. */
  diffEditsMax: 400,
  /** Texts longer than this are not compared on arrival, in UTF-16 units. */
  comparedCharsMax: 2_000_000,
  /** The report on resuming: all of its diffs, those of one file, and files that it names, in UTF-16 units. */
  resumedDiffCharsMax: 8_000,
  resumedFileDiffCharsMax: 2_000,
  resumedFilesMax: 100,
  /** What tells a tool's doing is looked for in this much: name, shell command, patch, start of its output. */
  toolNameCharsMax: 200,
  shellCommandCharsMax: 500,
  patchCharsMax: 200_000,
  outputStartCharsMax: 2_000,
  /** Of a text so much is searched for names, and no longer one has an index of its words, in UTF-16 units. */
  searchedCharsMax: 100_000,
  /** Files of one call; a call that names more is treated as one that names none. */
  toolFilesMax: 100,
  /** Files that a result names as they come with it, and lines for the folders of the others. */
  broughtFilesMax: 12,
  foldersMax: 4,
  /** The pool on top of a rewritten log: all of it, in UTF-16 units, and its rows. */
  summaryCharsMax: 4_000,
  summaryRowsMax: 200,
  /** The pool under layouts `ssot`, in UTF-16 units. */
  poolCharsMax: 40_000,
  /** Objects that a notice of released pins names. */
  releasedNamesMax: 100,
} as const;
