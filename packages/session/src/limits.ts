/** Bounds of an open session, unit last. */
export const limits = {
  /** Steps between two keyframes, at least; and how many of its ids each step between them pays for, at most. */
  keyframeStepsMin: 100,
  keyframeIdsPerStep: 8,
  /** Attempts of one commit, each after reading again what another writer changed. */
  commitAttemptsMax: 100,
  /** Objects that one result brings back, and messages that are amended at once. */
  shownObjectsMax: 100,
  amendmentsMax: 10_000,
  /** Of the file that a session came from: a text beside an erased one stays where it is shorter. */
  besideErasedCharsMin: 32,
  /** A typed text, or a piece of one, is looked for inside other texts where it is not shorter. */
  quotedCharsMin: 8,
  /** How often a commit is repeated at once when its answer was lost. */
  commitRepeatsMax: 2,
  /** Messages between two requests. */
  messagesMax: 10_000,
  /** Text between two requests, in UTF-16 units as JSON: a step's document holds it. */
  incomingCharsMax: 4 * 1024 * 1024,
  /** One output that is kept whole, in UTF-8 bytes: less than an object holds, since redaction makes some texts longer. */
  outputBytesMax: 30 * 1024 * 1024,
  /** Of a longer one, how much of its beginning and of its end is kept, in UTF-16 units of at most three bytes each. */
  outputEndChars: 5 * 1024 * 1024,
  /** How much more of each end is looked through for secrets, and how far the end of a line may be from the cut. */
  outputMarginChars: 64 * 1024,
  /** Calls of one answer, and results recorded with it. */
  callsMax: 1_000,
  /** Nesting of a call's arguments, which stand inside of other documents: what is deeper is kept as its JSON text. */
  argsDepthMax: 100,
  /** Files that one call may name. */
  touchesPerCallMax: 1_000,
  /** Files that the calls of one step may name together. */
  touchesPerStepMax: 5_000,
  /** A name and its value in a call's arguments, up to which they are redacted together, too. */
  namedCharsMax: 4_096,
  /** Different attachments of one step. */
  attachmentsPerStepMax: 1_000,
  /** In an erasure: objects per page, and versions per read. */
  objectsPerPage: 500,
  versionsPerPage: 100,
  /** Answers of a store's text search, and sessions searched, over which the texts in memory are searched. */
  textHitsMax: 10_000,
  searchedSessionsMax: 16,
  /** Files of other sessions that a list names, and stored files that it looks at for them. */
  foreignFilesMax: 200,
  foreignLooksMax: 5_000,
  /** Names of what is not known, as a refused erasure repeats them, and UTF-16 units of each. */
  unknownShownMax: 3,
  unknownShownCharsMax: 60,
  /** Time a source may take to look at the files of one step. */
  observeMs: 10_000,
  /** Files that a source is asked for at once. */
  observationsPerCallMax: 10_000,
  /** When many files are indexed: files read at once, and files and UTF-16 units from which on a commit is made. */
  filesPerRead: 64,
  filesPerCommit: 512,
  indexedCharsMax: 8 * 1024 * 1024,
  /** How long a lease holds when it is taken or renewed. */
  leaseMs: 15 * 60_000,
  /** Time a source may take to name its working copies, and the client's own cache to answer. */
  checkoutsMs: 2_000,
  stateCacheMs: 2_000,
  /** Working copies that a step names. */
  checkoutsMax: 1_000,
  /** Unreachable files that the agent is told of when a session is continued. */
  unreachableToldMax: 1_000,
  /** Looks at a file that other clients keep writing, until it is left to the next look. */
  lookAttemptsMax: 8,
  /** How long a file that went out of reach is left alone by the sweep. */
  lookAgainMs: 30_000,
} as const;
