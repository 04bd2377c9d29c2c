/** Bounds on what comes from outside, unit last. */
export const limits = {
  /** Problems of a store's files that doctor names. */
  problemsNamedMax: 5,
  /** One-line fields in tables and sentences, in UTF-16 units before they are cut. */
  fieldCharsMax: 2_048,
  /** Conversations and runs that a list or a graph shows. */
  runsMax: 10_000,
  /** Of them read at once. */
  runsPerPage: 500,
  /** How often a store that gives no hints is asked for new requests. */
  followMs: 1_000,
  /** Rows of a list of workspaces or events that a command shows. */
  rowsOfListMax: 100_000,
  /** Of them read at once. */
  rowsPerPage: 200,
  /** UTF-16 units of what an event says, in its line. */
  auditLineCharsMax: 200,
  /** For how long a server's answer is waited for. */
  serverAnswerMs: 10_000,
  /** UTF-16 units of what was said to a run, beside it in a graph. */
  saidCharsMax: 60,
  /** Columns of a terminal from which on a table of requests says why text was folded. */
  wideColumnsMin: 110,
  /** Texts of an object whose life is told, the newest of them. */
  textsToldMax: 50,
  /** Columns that a table's column keeps when the terminal is narrow. */
  columnColumnsMin: 8,
  /** Objects that a piece of a path may match and still be listed. */
  matchesMax: 50,
  /** The shortest start of a hash that is looked for. */
  hashPrefixCharsMin: 6,
  /** Lines of context in a unified diff. */
  diffContextLines: 3,
  /** Lines that may differ before a diff is given up as "everything changed": the search takes their square. */
  diffEditsMax: 2_000,
  /** Bytes of a file that tell a bundle from a session file. */
  detectedBytes: 4_096,
  /** Bytes of a bundle that comes through standard input: it is kept on disk while it is read. */
  spoolBytesMax: 1024 ** 3,
  /** How long `doctor` waits for a file's lock: writers need it for milliseconds. */
  lockWaitMs: 500,
  /** How long `doctor` waits for a node. */
  doctorWaitMs: 3_000,
  /** How far this machine's clock may be behind the newest transaction. */
  clockSkewMs: 5_000,
  /** Sessions whose leases `doctor` looks at. */
  doctorSessionsMax: 10_000,
  /** The longest answer to a question on the terminal. */
  answerCharsMax: 64,
  /** Files that `files --now` asks a source for at a time, and how long it waits for them. */
  lookFilesAtOnce: 500,
  lookMs: 30_000,
  /** Bytes of one session file that is reported on. Its replay holds several times as much. */
  reportFileBytesMax: 64 * 1024 * 1024,
  /** Requests of one session that is reported on: the time of a replay grows faster than they do. */
  reportRequestsMax: 10_000,
  /** Sessions that `report --all` takes by default, the newest of them. */
  reportSessions: 100,
  /** Sessions of one report. */
  reportSessionsMax: 10_000,
  /** Files that are looked for in the folders of agents, before the newest are chosen. */
  reportFoundMax: 200_000,
  /** Outputs without further use that a report in the terminal names. */
  reportOutputsShown: 5,
  /** Outputs without further use that a report's page names. */
  reportPageOutputsShown: 25,
  /** Columns of a report's sentences: longer lines are hard to read. */
  reportTextColumns: 100,
  /** Columns of the words that stand before them. */
  reportNameColumns: 14,
  /** Pause between two lines of progress. */
  progressMs: 200,
} as const;
