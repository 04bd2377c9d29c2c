/** Bounds on what comes from outside, unit last. */
export const limits = {
  /** A request's body. */
  bodyBytesMax: 8 * 1024 ** 2,
  /** Headers of a request together. */
  headerBytesMax: 16 * 1024,
  /** Runs that one server executes at a time, subagents included. */
  runsMax: 64,
  /** Messages that wait to be seen by a running run. */
  steeringMessagesMax: 100,
  /** Ids of messages that a run remembers, so that none is seen twice. */
  steeringIdsMax: 10_000,
  /** Parts of an input. */
  inputPartsMax: 100,
  /** UTF-16 units of a text in an input. */
  inputCharsMax: 1_000_000,
  /** Folders of an environment. */
  foldersMax: 16,
  /** Files and folders that a fork with files of its own copies. */
  forkedFilesMax: 200_000,
  /** Bytes of them together. */
  forkedBytesMax: 8 * 1024 ** 3,
  /** UTF-16 units of a path. */
  pathCharsMax: 4_096,
  /** Rows of a page, at most. */
  pageRowsMax: 200,
  /** Rows of a page that names no number. */
  pageRowsDefault: 50,
  /** UTF-16 units of a title. */
  titleCharsMax: 500,
  /** Bytes of a run's events that are held for readers who come late: older ones go first. */
  eventBufferBytesMax: 32 * 1024 ** 2,
  /** How long the events of a run that is over are held. */
  eventBufferMs: 60_000,
  /** Readers of one run at a time. */
  readersMax: 1_000,
  /** How long another server may take to begin its answer to what is handed on to it. */
  handOnMs: 10_000,
  /** Silence after which a reader gets a line that keeps the connection open. */
  heartbeatMs: 15_000,
  /** Steps of a run whose preset names no other number. */
  runStepsMax: 1_000,
  /** Milliseconds of a run whose preset names no other number. */
  runMs: 3_600_000,
  /** UTF-16 units of a partial output that is shown while a tool runs. */
  partialOutputCharsMax: 4_096,
  /** Repeats of a model call that failed before it said anything. */
  modelRepeatsMax: 3,
  /** Wait before the first repeat; each time twice as long. */
  modelRepeatMs: 1_000,
  /** For how long a run waits for a store that does not answer: to open and close its session, before a request, and to write a step or its end. */
  recordMs: 300_000,
  /** Wait before the first repeat of that; each time twice as long, up to 10 s. */
  recordRepeatMs: 250,
  /** Files that one call names. */
  touchesPerCallMax: 1_000,
  /** The file of presets. */
  presetsBytesMax: 1024 ** 2,
  /** Tools that a client brings for one run. */
  clientToolsMax: 128,
  /** UTF-16 units of their descriptions and parameters together, as JSON: each request to the model repeats them. */
  clientToolsCharsMax: 200_000,
  /** Presets in it. */
  presetsMax: 1_000,
  /** Tokens of access. */
  tokensMax: 1_000,
  /** For how long a stop waits for runs before it interrupts them. */
  drainMs: 30_000,
  /** For how long it then waits until they are committed. */
  interruptMs: 10_000,
  /** Subagents of one conversation at a time. */
  subagentsMax: 16,
  /** How deep subagents may begin subagents of their own. */
  subagentDepthMax: 2,
  /** For how long a run that is paused waits until the records say so, before it tells its readers. */
  pauseToldMs: 10_000,
  /** For how long after its policy ran out a session may still be resumed. */
  sessionResumeMs: 86_400_000,
  /** Governed sessions whose state and bundle a server holds; the oldest in which nothing runs go first. */
  governedSessionsMax: 1_000,
  /** How long events wait so that several are written together. */
  auditFlushMs: 200,
  /** UTF-16 units of what waits on disk for an audit that does not answer. */
  auditSpoolCharsMax: 256 * 1024 ** 2,
  /** What was left on disk that is written together. */
  spooledPerBatchMax: 500,
  /** Silence after which what another machine's process left on disk is taken away, once it is written. */
  spoolSilenceMs: 86_400_000,
  /** Events that wait for telemetry; what comes beyond is given up and counted. */
  telemetryWaitingMax: 10_000,
  /** For how long a stop waits until events are written and told. */
  eventsCloseMs: 10_000,
  /** What an approval is about, as it is shown. */
  approvalSummaryCharsMax: 2_000,
  /** The file of a policy. */
  policyBytesMax: 4 * 1024 ** 2,
} as const;
