/** Bounds of the report, unit last. What goes beyond is counted and said, never left out in silence. */
export const limits = {
  /** Columns of the terminal table. */
  tableColumns: 100,
  /** Columns of a name in the terminal. */
  nameColumnsMax: 40,
  /** Columns of a policy's name in the terminal table. */
  policyColumnsMax: 16,
  /** A progress bar is drawn anew at most this often. */
  progressIntervalMs: 100,
  /** Sessions that get plots; the others stand in the table. */
  filesDrawnMax: 40,
  /** Points of one line. */
  linePointsMax: 400,
  /** Points of one stack of areas, and marks of folds in one plot. */
  areaPointsMax: 180,
  /** Folds listed for one session and policy. */
  foldsListedMax: 50,
  /** Different reasons for folds that are counted by name. */
  reasonsNamedMax: 6,
  warningsListedMax: 50,
  /** Characters of names from outside: files, policies, databases. */
  nameCharsMax: 200,
  /** Characters of sentences from outside: warnings, reasons, the command. */
  sentenceCharsMax: 1_000,
} as const;
