/** Bounds of what `/cm` shows. */
export const commandLimits = {
  /** Rows of a list of objects. */
  rowsPerPage: 50,
  /** Versions of an object. */
  versionsMax: 30,
  /** Characters of an object's text. */
  textCharsMax: 8_000,
  /** Characters of a note or reason. */
  noteCharsMax: 200,
  /** Characters of a path, or of a call's arguments, in a row. */
  fieldCharsMax: 120,
  /** Proposals while somebody types. */
  proposalsMax: 20,
  /** Objects that are looked through for them, and that `status` counts. */
  objectsCountedMax: 10_000,
  /** Characters of the path beside a proposal. */
  proposalCharsMax: 60,
} as const;
