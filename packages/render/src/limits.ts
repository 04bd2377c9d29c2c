/** Every bound on what comes from outside, unit last. */
export const limits = {
  /** A one-line field as it stands in a header or pool line, quotes included, in UTF-16 units. */
  fieldCharsMax: 512,
  /** What a reference says of the call's target: a path, or the start of a command or pattern, in UTF-16 units. */
  targetCharsMax: 40,
  /** Edits that a diff on arrival may find before it gives up, in lines. A count, not a time: the bytes must repeat. */
  diffEditsMax: 400,
  /** Texts longer than this are not compared on arrival, in UTF-16 units. */
  comparedCharsMax: 2_000_000,
  /** The report on resuming: all of its diffs, those of one file, and files that it names, in UTF-16 units. */
  resumedDiffCharsMax: 8_000,
  resumedFileDiffCharsMax: 2_000,
  resumedFilesMax: 100,
} as const;
