/** Bounds of reading steps, unit last. */
export const limits = {
  /** Steps of a turn that are read to bring it back. */
  turnStepsMax: 1_000,
  /** Steps that are looked through for a piece of what was said, and lines that are found. */
  searchedStepsMax: 5_000,
  saidLinesMax: 20,
  /** Keyframes that hold a state together, and how many of them are tried before the steps are read from the first. */
  keyframesPerChainMax: 10_000,
  keyframesTriedMax: 3,
  /** What a keyframe says of its requests, and a document beside it of what stands, in UTF-16 units as JSON. */
  keyframeFieldCharsMax: 1024 * 1024,
  /** Keyframes read at once for a list of requests. */
  keyframesPerRead: 32,
  /** Steps read at once on the way back to a keyframe, at first; each time twice as many. */
  stepsToKeyframe: 128,
  /** Steps read in one request of the store. */
  stepsPerReadMax: 10_000,
  /** Steps read at once for a list of requests; and how many of the newest are read before keyframes list the others. */
  requestsPerRead: 512,
  requestsFromStepsMin: 200,
  /** What an open past keeps of messages, in bytes; and every how many requests it keeps the whole list of them. */
  pastBytesMax: 256 * 1024 * 1024,
  pastListEvery: 64,
  /** Past moments at which a load looks for the file versions it needs, before it goes through histories. */
  momentsPerLoadMax: 8,
  /** Histories of files read at once. */
  historiesAtOnceMax: 256,
  /** Sessions that a list reads at once, with their newest steps. */
  sessionsPerPage: 200,
  /** Steps read at once on the way back to the newest keyframe. */
  stepsBackPerRead: 64,
  /** In a verification: objects per page and read at once, versions per read, and named objects looked up at once. */
  objectsPerPage: 500,
  objectsAtOnceMax: 8,
  versionsPerPage: 100,
  referencesPerRead: 500,
} as const;
