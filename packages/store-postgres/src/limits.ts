/** Bounds of this store beside those of the contract, unit last. */
export const storeLimits = {
  /** How long a call may take: a connection, other writers' turns, a server that restarts, and the answer. */
  deadlineMs: 30_000,
  /** The longest such time that may be asked for: an hour. */
  deadlineMsMax: 3_600_000,
  /** How long opening waits for the first connection: a wrong address is told soon, and a busy machine has time to answer. */
  connectMs: 10_000,
  /** Connections of one store. */
  connections: 8,
  connectionsMax: 100,
  /** A connection that was not used for so long is closed. */
  idleMs: 30_000,
  /** The pause before a call is tried again: from the first, doubled each time, up to the second. */
  retryMsMin: 25,
  retryMsMax: 1_000,
  /** How long a statement that was cancelled has to end, before its connection is given up. */
  cancelMs: 1_000,
  /** How often it is asked meanwhile. */
  cancelEveryMs: 100,
  /** How long a hint is waited for before the store is asked: a connection may be cut without a word. */
  listenMs: 60_000,
  /** The same where no connection can listen. */
  changePollMs: 1_000,
  /** Texts and payloads of one commit as they are sent, in bytes. */
  commitBytesMax: 256 * 1024 * 1024,
  /** Letters of a namespace. */
  schemaCharsMax: 48,
  /** Texts that a search fetches at once. */
  searchRowsAtOnce: 200,
  /** UTF-16 units of the piece that the index is asked about. */
  searchPieceCharsMax: 4_096,
  /** Trigrams that the index is asked for. */
  searchTrigramsMax: 24,
  /** Texts outside of the index that a search looks at rather than take them in. */
  searchBehindTextsMax: 500,
  /** Candidates up to which a search starts from their texts. */
  searchCandidatesMax: 500,
  /** Texts of a store that has more are searched without the index: a search holds a bit for each. */
  searchTextsMax: 32_000_000,
  /** Texts of a block of the index, and their bytes as they are held. */
  indexBlockTextsMax: 2_000,
  indexBlockBytesMax: 4 * 1024 * 1024,
  /** Blocks that one search makes at most; it looks at the texts beyond them itself. */
  indexBlocksPerSearchMax: 16,
  /** How long a migration or a check may take. */
  maintenanceMs: 3_600_000,
} as const;
