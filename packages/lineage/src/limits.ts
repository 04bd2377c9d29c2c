/** Bounds on what comes from outside, unit last. Passing one is `lineage/limit`. */
export const lineageLimits = {
  /** UTF-16 units of the address of a process. */
  addressCharsMax: 1_024,
  /** Ids of runs and conversations, which name folders and keys of the state store. In UTF-16 units. */
  idCharsMax: 100,
  /** Titles of conversations, in UTF-16 units. */
  titleCharsMax: 512,
  /** A title that is made of the first text of a run, in UTF-16 units. */
  madeTitleCharsMax: 50,
  /** Ids of presets, names of subagents, models, owners and workspaces, in UTF-16 units. */
  nameCharsMax: 256,
  /** Metadata of a conversation as JSON, in UTF-8 bytes. */
  metadataBytesMax: 16_384,
  /** Members of metadata at all depths, and elements in its arrays. */
  metadataMembersMax: 200,
  /** Input of a run as JSON, in UTF-8 bytes. */
  inputBytesMax: 4_194_304,
  /** Final text of a run, in UTF-8 bytes. */
  outputBytesMax: 4_194_304,
  /** Folders of an environment. */
  projectsMax: 64,
  /** A folder's path, in UTF-16 units. */
  projectCharsMax: 4_096,
  /** Tool calls that wait for an answer from outside. */
  pendingCallsMax: 256,
  /** Models that one run has figures for. */
  modelsMax: 64,
  /** The reason of a failure, in UTF-16 units; a longer one is cut. */
  failureCharsMax: 1_024,
  /** Rows of one page: conversations, runs or turns. */
  pageRowsMax: 1_000,
  /** Rows of a page where none are asked for. */
  pageRowsDefault: 50,
  /** Subagents whose posts one fire takes. */
  mailPerFireMax: 1_000,
  /** A text of steering, in UTF-8 bytes. */
  steeringBytesMax: 1_048_576,
  /** Ids of steering messages that a live run remembers. */
  steeringIdsMax: 10_000,
  /** State of a run as JSON, in UTF-8 bytes. */
  stateBytesMax: 268_435_456,
  /** Display messages of a run as JSON, in UTF-8 bytes. */
  displayBytesMax: 67_108_864,
  /** How often a write is planned anew because another process was faster. */
  attemptsMax: 100,
  /** How often a commit whose answer was lost is sent again. */
  sendsMax: 5,
  /** How long a lease holds without being renewed, where nothing else is said. */
  leaseMs: 30_000,
  /** The shortest and longest lease. */
  leaseMsMin: 100,
  leaseMsMax: 3_600_000,
  /** How long the S3 server may take for one request. */
  s3RequestMs: 60_000,
} as const;
