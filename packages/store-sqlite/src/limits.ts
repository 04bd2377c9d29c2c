/** Bounds of this store beside those of the contract, unit last. */
export const storeLimits = {
  /** How long a call waits for another process's lock before it gives up. */
  busyTimeoutMs: 10_000,
  /** The longest such wait that may be asked for: an hour. */
  busyTimeoutMsMax: 3_600_000,
  /** The longest pause between two looks at another process's write lock; pauses are random, so that no writer starves. */
  lockPollMsMax: 20,
  /** Page cache of one connection. */
  cacheKiB: 8_192,
  /** Pages of 4 KiB in the write-ahead log before they go into the file: index pages change often and are written once. */
  checkpointPages: 4_000,
  /** How long a commit waits for the write lock to move the log into the file, where SQLite may not do it by itself. */
  checkpointWaitMs: 100,
  /** Frames of a write-ahead log that are read at once: a quarter of a megabyte. */
  logFramesAtOnce: 64,
  /** The pause between two looks whether others let go of the log. */
  logPauseMs: 5,
  /** Texts that one transaction takes into the index. */
  indexTextsMax: 250,
  /** UTF-8 bytes of texts after which such a transaction ends: a tenth of a second under the write lock. */
  indexBytesMax: 1_048_576,
  /** Texts that one search takes into the index at most; it looks at the others itself. */
  indexTextsPerSearchMax: 2_000,
  /** Longer texts have nearly every trigram there is: they are not in the index, and searches look at them. */
  indexedTextBytesMax: 262_144,
  /** A text is taken out of an index of up to so many by merging it; a larger one is emptied and built anew. */
  indexMergedTextsMax: 100_000,
  /** Texts beyond the index that a search looks at rather than take them in, so that few searches write. */
  searchBehindTextsMax: 100,
  /** Candidates up to which a search starts from their texts. */
  searchCandidatesMax: 500,
  /** UTF-16 units of the piece that the index is asked about. */
  searchPieceCharsMax: 4_096,
  /** Trigrams that the index is asked for. */
  searchTrigramsMax: 24,
  /** A store's thread waits for a lock by so much at a time, so that it can be ended in between. */
  threadLockSliceMs: 100,
  /** Young objects of a store's thread: what it reads it gives away at once. */
  threadYoungMb: 8,
  /** How long closing waits for the thread to end after it closed the file. */
  threadEndMs: 1_000,
  /** How long a call of the state cache waits for another process before it does without. */
  cacheBusyTimeoutMs: 250,
  /** `checkpointPages` of a state cache. */
  cacheCheckpointPages: 1_000,
  /** Page cache of a state cache: a load touches most pages of a small file. */
  stateCacheKiB: 32_768,
  /** Entries of a state cache: some 40 MB of file. */
  stateCacheEntriesMax: 200_000,
  /** Entries that one transaction saves. */
  stateCacheSaveEntriesMax: 10_000,
  /** Ids, hashes and hints in a state cache, in UTF-16 units. */
  stateCacheFieldCharsMax: 4_096,
  /** From so many ids on, one statement reads them all: it looks for files first, which most of them are. */
  idsAtOnceMin: 64,
  /** Objects of each indexed field that a search counts, to begin with the field that has the fewest. */
  fieldRowsCountedMax: 256,
  /** Problems of a file that a check names. */
  problemsMax: 100,
  /** Rows of a damaged file that are read at once, until one cannot be read. */
  recoverRowsAtOnce: 200,
} as const;
