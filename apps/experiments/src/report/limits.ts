/** Bounds of the report, unit last. What goes beyond is counted and said, never left out in silence. */
export const limits = {
  /** Columns of the terminal table. */
  tableColumns: 100,
  /** Columns of a name in the terminal. */
  nameColumnsMax: 40,
  /** Columns of a policy's name in the terminal table. */
  policyColumnsMax: 16,
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
  /** Bands of one map; parts of the log that stand beside each other share one where there are more. */
  mapBandsMax: 140,
  /** Bands of all maps together, so that many sessions and policies make no huge page. */
  pageBandsMax: 6_000,
  /** Bands of the smallest map. */
  mapBandsMin: 24,
  /** Columns of a map; a column is several calls where there are more. */
  mapColumnsMax: 300,
  /** Marks of one kind in a map. */
  mapMarksMax: 300,
  /** Prompts of the user that are written beside a map. */
  mapPromptsMax: 12,
  /** Forms of one part that are told one by one. */
  bandFormsMax: 5,
  /** Texts that were out of view, and objects brought back, listed for one session and policy. */
  missesListedMax: 50,
  /** A list this short stands open. */
  openRowsMax: 10,
  /** Tasks of live runs that get rows of their own. */
  tasksListedMax: 200,
  /** Recordings and files named with their hashes. */
  originsListedMax: 100,
  /** Characters of names from outside: files, policies, databases. */
  nameCharsMax: 200,
  /** Characters of what a call was about, and of a line that was needed. */
  targetCharsMax: 120,
} as const;
