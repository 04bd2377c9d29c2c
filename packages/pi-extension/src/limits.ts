/** Every bound of this package but those of its tools, files and lists, which stand beside them. */
export const limits = {
  /** For how long a request of the model waits for the first answer of store and session. */
  openMs: 3_000,
  /** For how long it waits while they answer. */
  promptMs: 2_000,
  /** For how long it waits for what an earlier one waited for in vain; the last good prompt goes out then. */
  awayMs: 50,
  /** For how long Pi waits between two requests for what the second one needs, before it goes on by itself. */
  aheadMs: 100,
  /** For how long tools and `/cm` wait. */
  askMs: 5_000,
  /** Pause before the database is asked again, at first. */
  retryMsMin: 500,
  /** The longest such pause. */
  retryMsMax: 30_000,
  /** For how long the end of a turn waits until its steps are written. */
  settleMs: 500,
  /** For how long the end of a session waits for the database. */
  closeMs: 2_000,
  /** For how long a call waits for the database before it is answered from memory. */
  storeMs: 1_000,
  /** UTF-16 units that wait in memory for the database; beyond them the session goes on in memory alone. */
  queueCharsMax: 16_777_216,
  /** Calls whose output stands in full in a prompt made without session and store. */
  safeCallsMax: 8,
  /** Characters of their output, all together. */
  safeCharsMax: 40_000,
  /** Rows of an object's history. */
  historyRowsMax: 100,
} as const;
