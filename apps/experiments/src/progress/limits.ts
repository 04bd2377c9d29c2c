/** Bounds of the progress that a command shows. */
export const limits = {
  /** Characters and columns of a task's name. */
  nameCharsMax: 200,
  nameColumnsMax: 40,
  /** A progress bar is drawn anew at most this often. */
  progressIntervalMs: 100,
} as const;
