/** Every bound of this package, unit last. Those that a caller may move are also options of `connectXtdb`. */
export const clientLimits = {
  /** How long a call may take, queueing and retries included, unless it says otherwise. */
  deadlineMs: 30_000,
  /** The longest deadline that may be asked for: an hour. */
  deadlineMsMax: 3_600_000,
  /** How long one attempt to connect may take before the next node is tried. */
  connectMs: 5_000,
  /** An idle connection is closed after this; servers keep theirs for 30 s and more. */
  idleConnectionMs: 10_000,
  /** Upstream's server answers with 50 threads. */
  connectionsPerNodeMax: 48,
  /** Requests that wait for a transaction hold a thread of the server each. */
  awaitsPerNodeMax: 32,
  /** Nodes behind one client. */
  nodesMax: 16,
  /** A node found unreachable is passed over for this long at first, doubled each time, up to the second figure. */
  nodeRestMs: 250,
  nodeRestMsMax: 30_000,
  /** The largest answer that is read. */
  answerBytesMax: 134_217_728,
  /** The largest answer that may be asked for: the engine's longest string is not far above. */
  answerBytesMaxMax: 500_000_000,
  /** The largest request that is written. */
  requestBytesMax: 134_217_728,
  /** Longer answers are not read where only an error is expected in them. */
  errorBytesMax: 262_144,
  /** Levels of maps, vectors, lists and sets in a value that is written. */
  writeDepthMax: 100,
  /** The same in an answer. */
  readDepthMax: 200,
  /** Digits of one integer in an answer or argument. */
  integerDigitsMax: 4_096,
  /** Operations in one transaction. */
  operationsMax: 100_000,
  /** Characters of an attribute name. */
  keyCharsMax: 256,
  /** Attribute names remembered, so that they are checked once. */
  keysRememberedMax: 4_096,
  /** Characters of a datalog text. */
  queryCharsMax: 65_536,
  /** An id in a URL, encoded; upstream refuses header blocks of 8 KiB. `pull` and `histories` take longer ones. */
  idUrlBytesMax: 6_000,
  /** Ids in one request of `pull`. */
  pullIdsMax: 5_000,
  /** Ids in one request of `histories`. */
  historiesIdsMax: 2_000,
  /** Single histories asked for at a time where a node refuses the bulk query. */
  historiesParallelMax: 16,
  /** `history` and `txLog` read about this much at a time. */
  pageBytes: 4_194_304,
  /** Characters of a bearer token. */
  tokenCharsMax: 8_192,
  /** Characters of a server's class or error key in an error. */
  shownNameCharsMax: 120,
} as const;
