/** Every bound on what comes from outside, unit last. */
export const limits = {
  /** What a line of ours says of what a call was about, in UTF-16 units. */
  targetCharsMax: 40,
  /** Edits that a diff on arrival may find before it gives up, in lines. A count, not a time: the bytes must repeat. */
  diffEditsMax: 400,
  /** Texts longer than this are not compared on arrival, in UTF-16 units. */
  comparedCharsMax: 2_000_000,
  /** A result that is longer arrives as its two ends, together this long, in UTF-16 units: about 100,000 tokens. */
  arrivalCharsMax: 400_000,
  /** The report on resuming: all of its diffs, those of one file, and files that it names, in UTF-16 units. */
  resumedDiffCharsMax: 8_000,
  resumedFileDiffCharsMax: 2_000,
  resumedFilesMax: 100,
  /** Folders and files whose paths changed that it names. */
  resumedPathsMax: 20,
  /** Of a text so much is searched for names, and no longer one has an index of its words, in UTF-16 units. */
  searchedCharsMax: 100_000,
  /** Lines for the folders of files that the pool does not name. */
  foldersMax: 4,
  /** The pool under layouts `ssot`, in UTF-16 units. */
  poolCharsMax: 40_000,
  /** Objects that a notice of released pins names. */
  releasedNamesMax: 100,
} as const;
