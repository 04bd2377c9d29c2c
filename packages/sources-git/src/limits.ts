/** Every bound on what comes from git, a repository or a binding, unit last. Passing one is an answer with a reason. */
export const limits = {
  /** The first git with `cat-file --batch-command`. */
  gitVersionMin: [2, 36],
  /** Folders that one source is given. Each has one long-lived process at most. */
  repositoriesMax: 32,
  /** Repositories of one batch that are looked at side by side. */
  repositoriesAtOnce: 4,
  /** Requests of one batch that are walked side by side in one repository. */
  requestsAtOnce: 512,
  /** A ref's name, in UTF-16 units. */
  refCharsMax: 1_024,
  /** Different refs of one repository in one batch. */
  refsPerLookMax: 4_096,
  /** Names of refs on the command line of one process, in bytes. */
  argumentBytesMax: 64 * 1024,
  /** The output of a process for one question. */
  outputBytesMax: 16 * 1024 * 1024,
  /** The kept part of a process's error output; it is compared with known words and never shown. */
  errorOutputBytesMax: 64 * 1024,
  /** The line before an object, in bytes. The longest repeats the name that was asked for. */
  replyLineBytesMax: 8 * 1024,
  /** Folders above a file. */
  treeDepthMax: 512,
  /** One folder as git stores it. */
  treeBytesMax: 64 * 1024 * 1024,
  /** Entries of folders kept in memory for the next look, over all repositories. */
  treeEntriesCachedMax: 200_000,
  /** Times that a process which died is started again before those who wait get an answer. */
  restartsMax: 32,
  /** A long-lived process without questions ends after this. */
  idleMs: 60_000,
  /** The longest look of a tracker, and of `bind`. */
  lookMs: 10_000,
  /** Bindings that one tracker follows. */
  followedMax: 100_000,
  /** From one look of a tracker to the next, while refs move. */
  pollMs: 2_000,
  /** The same, after a long time in which none moved. */
  pollMaxMs: 60_000,
} as const;
