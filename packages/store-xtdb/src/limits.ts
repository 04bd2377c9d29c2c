/** Bounds of this store beside those of the contract, unit last. */
export const storeLimits = {
  /** Texts longer than this are kept as documents of their own, shared by all versions that have them. */
  inlineCharsMax: 1_024,
  /** Texts longer than this are compressed. */
  plainCharsMax: 1_048_576,
  /** Texts of one commit beyond this go ahead of it, in transactions of about this size. */
  textCharsPerTransactionMax: 16_777_216,
  /** Ids in one query. */
  idsPerQueryMax: 5_000,
  /** Current versions that are read in one request, in an encoding that is slower for many. */
  newestIdsMax: 32,
  /** The beginning of an id by which objects are ordered in the index; XTDB ranges over no string beyond 224 bytes. */
  orderIdCharsMax: 180,
  /** The same where ids are hashes. */
  orderHashCharsMax: 16,
  /** Folders of a path, from its root, below which `find` ranges. Deeper ones are looked through. */
  orderFoldersMax: 24,
  /** Objects whose order is added at a time, in a database from before there was one. */
  orderUpgradeIdsMax: 1_000,
  /** Versions of several objects that are read together. */
  versionsAtOnceMax: 5_000,
  /** How often a commit without a broken expectation is tried again when other writers were faster. */
  attemptsMax: 64,
  /**
   * The longest pause between two attempts. A writer that won knows the newest version and needs one request, another two:
   * at 64 one of four in a tight loop had its attempts behind it before the first was done.
   */
  pauseMsMax: 256,
  /** How often the store looks for a commit whose answer was lost. */
  looksMax: 5,
  /**
   * Objects whose newest revision is remembered: what is written again was mostly met a short time ago. Of others the caller's
   * token says it, or the database.
   */
  revisionsKnownMax: 500,
  /**
   * The newest texts that are known to be stored, and as many that are known to be gone; of the older ones some are, too, 40
   * bytes each. One that is written again after more others is sent once more.
   */
  textsKnownMax: 2_500,
  /** Versions that are kept because their objects are read again, in UTF-16 units, and what one counts beside its text. */
  versionsKnownCharsMax: 1_048_576,
  versionFieldsChars: 2_048,
  /** Commits whose transaction is remembered. */
  transactionsKnownMax: 500,
  /** The longest name of a part of a database. */
  namespaceCharsMax: 64,
  /** Commits that may slip past an erasure, looked for again and again. */
  erasureRoundsMax: 16,
  /** How long the question may take whether a node still indexes, once something failed. */
  statusDeadlineMs: 2_000,
} as const;

/**
 * XTDB reads and writes dates by the calendar of 1582, so nothing may hold earlier. Documents that hold always, such as
 * long texts, are put there.
 */
export const firstValidTime: Date = new Date("1583-01-01T00:00:00.000Z");
export const lastValidTime: Date = new Date("9999-12-31T23:59:59.999Z");
