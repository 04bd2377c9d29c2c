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
  /** Objects, kinds of folds and texts that one screen names; the others are counted. */
  heaviestMax: 10,
  foldsShownMax: 4,
  textsExplainedMax: 6,
  secretsNamedMax: 5,
  /** Columns of a name in a row, so that a row fits 80 columns. */
  nameColumnsMax: 28,
  /** Proposals during typing. */
  proposalsMax: 20,
  /** Objects that are looked through for them, and that `status` counts. */
  objectsCountedMax: 10_000,
  /** Characters of the path beside a proposal. */
  proposalCharsMax: 60,
} as const;
