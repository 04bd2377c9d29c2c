/** Every bound of this package on what comes from outside, unit last. */
export const limits = {
  // Mounts and identity: configuration, container-inspect, `/proc`, output of commands.
  /** Mappings in one table. */
  mappingsMax: 20_000,
  /** A prefix of a mapping, in UTF-16 units. */
  prefixCharsMax: 4_096,
  /** A file system id of a mapping, in UTF-16 units. */
  filesystemIdCharsMax: 256,
  /** `/proc/self/mountinfo`, `/proc/self/cgroup`, or the output of a command, in UTF-16 units. */
  factsCharsMax: 8 * 1024 * 1024,
  /** Mounts in one `mountinfo`. */
  mountsMax: 20_000,
  /** Mounts and binds in one container-inspect document. */
  inspectMountsMax: 5_000,
  /** One field of an inspect document or a machine id, in UTF-16 units. */
  factCharsMax: 4_096,
  /** `ioreg`, `reg query`, `mount`: after this the fact counts as missing. */
  commandMs: 5_000,
} as const;

/** Limits on ignore rules, which come from untrusted files. */
export const ruleLimits = {
  /** One .gitignore or exclude file. The rules of a larger one are unknown, so no file beside it is read. */
  ruleFileBytesMax: 1024 * 1024,
  /** Lines of one .gitignore or exclude file; more count as too large. */
  ruleLinesMax: 20_000,
  /** One rule, in UTF-16 units. No path is as long as what a longer one names. */
  ruleCharsMax: 4_096,
  /** `**` in one rule; of more, the first and the last count, which names more files, not fewer. */
  globstarsPerRuleMax: 2,
  /** Folders in one path. A deeper one counts as ignored. */
  foldersPerPathMax: 256,
  /** A path, in UTF-16 units. A longer one counts as ignored. */
  pathCharsMax: 4_096,
  /** Folders whose rules are remembered; with one more, all are forgotten. */
  foldersKept: 20_000,
  /** Answers about entries that are remembered, for all folders; with one more, all are forgotten. */
  answersKept: 200_000,
  /** Answers that the compiled rules of one chain remember on their own. */
  chainAnswersKept: 1_000,
  /** For so long the rule files of a folder are not scanned again. */
  recheckMs: 200,
} as const;

/** Bounds on following files. */
export const trackLimits = {
  /** A path without events for this long is looked at. Editors and `git` take several steps for one save. */
  settleMs: 60,
  /** A path that never gets quiet is looked at this long after its first event. */
  settleWaitMs: 1_000,
  /** Watched folders of one tracker. A watch costs about 30 kB here and 1 kB in the kernel. */
  watchedFoldersMax: 4_096,
  /** Followed files of one tracker; the rest is left to the sweep. */
  followedFilesMax: 200_000,
  /** Looks (a stat and a hint) at a time. */
  looksAtOnceMax: 32,
  /** Folders that are opened or checked at a time; each lists the folder once. */
  foldersAtOnceMax: 16,
  /** One stat; after it, the file system does not answer. */
  lookMs: 2_000,
  /** A change this shortly before a scan may hide another one behind the same times. */
  racyMs: 20,
  /** Until a folder's watch is ready. */
  watchReadyMs: 10_000,
  /** The whole comparison of `settled`, and the wait for its hints; what was not looked at by then is hinted unseen. */
  settledMs: 10_000,
  /** Watched folders are checked this often: a folder above may have been renamed, which nothing reports. */
  auditMs: 5_000,
  /** First wait for a missing folder to come back; then twice as long each time. */
  goneRetryMs: 100,
  /**
   * Longest wait for that, the wait after the system had no watch left, and the first one after it refused otherwise.
   */
  retryMs: 5_000,
  /** Longest wait after the system refused a watch for other reasons. */
  refusedRetryMs: 300_000,
} as const;

/** Bounds on looking at files, unit last. */
export const fileLimits = {
  /** An absence is confirmed by a second scan this much later: longer than the gap in a save by rename. */
  confirmMs: 120,
  /** In a folder that changed this shortly before, a file that is missing may be in the middle of a save. */
  quietMs: 300,
  /** Scans for a missing file whose folder keeps changing; after the last one it is absent. */
  missingScansMax: 6,
  /**
   * A file that changed this shortly before a scan is hashed at the next one, too: clocks of file systems are coarse.
   */
  racyMs: 2_000,
  /**
   * Files above it are not read: their source hash is made from their attributes. A log file of this size that grows
   * all the time costs each sweep a tenth of a second.
   */
  hashedBytesMax: 64 * 1024 * 1024,
  /** How much is read at once; between two pieces a reader looks whether it is still wanted. */
  pieceBytes: 1024 * 1024,
  /** Such pieces that wait to be read into again. */
  freePiecesMax: 4,
  /** Attempts to read a file that changes during the scan. */
  triesMax: 4,
  /** Symbolic links in one path, as in the kernel. */
  linksMax: 40,
  /** Paths, in UTF-16 units. */
  pathCharsMax: 4_096,
  /** A hint of an earlier scan, in UTF-16 units. */
  hintCharsMax: 200,
  /** Roots of one source. */
  rootsMax: 1_000,
  /** Relocations of one source. */
  relocationsMax: 1_000,
  /** Files whose attributes a thread keeps for the sweep, some 400 bytes each; the others bring theirs along. */
  knownFilesMax: 100_000,
  /** The part of the caller's time that is reserved for an answer in time. */
  answerMarginMs: 50,
  /** How long the reading thread works on one request before it looks at the others. */
  sliceMs: 20,
  /** Content that is collected before it is sent on. */
  sentBytesMax: 1024 * 1024,
  /** Reading threads of one source: a sweep waits for one core, `git status` uses several. */
  threadsMax: 2,
  /** So many files in a row are looked at by one thread; fewer start no second one, which takes 15 MB. */
  looksInRow: 512,
  /** Short-lived memory of the reading thread; V8 would take ten times as much, and be no faster. */
  threadYoungMb: 4,
  /** A reading thread that does not answer this long after its deadline is stuck and replaced. */
  stuckMs: 1_000,
  /** How long nothing is asked of a folder that a reading thread got stuck in. */
  avoidMs: 30_000,
  /** How long binding a path may take; after it, links are not resolved. */
  bindMs: 5_000,
  /** Files in one batch of a listing. */
  listedPerBatchMax: 1_000,
  /** How long one batch of a listing may take. */
  listMs: 30_000,
  /** Files in one listing. */
  listedFilesMax: 1_000_000,
  /** Folders inside folders in one listing. */
  listedDepthMax: 128,
  /** How long `close` waits for a stuck thread. */
  closeMs: 1_000,
} as const;

/** Bounds on telling which work trees the roots lie in, and at which commit they are. */
export const checkoutLimits = {
  /** Work trees that are told of; of a folder with more of them, the first by name. */
  checkoutsMax: 64,
  /** `HEAD`, a ref, `config`. */
  gitFileBytesMax: 65_536,
  /** In a larger one no ref is looked up, and the commit stays unknown. */
  packedRefsBytesMax: 8 * 1024 * 1024,
  /** A branch's name or the address of a repository, in UTF-16 units. */
  nameCharsMax: 256,
  /** How long all of it may take. */
  checkoutsMs: 2_000,
} as const;

/** Bounds on the work of one redaction, so that no text makes it more than linear. */
export const redactLimits = {
  /** Attempts to read a key in one unbroken run of letters and digits. */
  attemptsPerRunMax: 16,
  /** How far before a run its key may have begun, where `.`, `/`, `+` or `=` part it, in UTF-16 units. */
  charsBeforeRunMax: 72,
  /** A line of cookies, in UTF-16 units; what is longer is looked at up to there. */
  cookieLineCharsMax: 8_192,
  /** A document of Kubernetes before and after its kind, in UTF-16 units. */
  kubeDocumentCharsMax: 16_384,
  /** A command before the option that holds a password, in UTF-16 units. */
  commandCharsMax: 240,
  /** How far from a name a text is looked at for being its secret, in UTF-16 units. */
  namedCharsMax: 100,
  /** A secret that a name is near; behind its name alone it may be longer than what stands farther off. */
  namedValueCharsMax: 4_096,
  farValueCharsMax: 200,
  /** What is read before and behind such a text, in UTF-16 units, and how many words of it. */
  charsBeforeValueMax: 200,
  charsBehindValueMax: 120,
  wordsBeforeValueMax: 14,
  wordsBehindValueMax: 6,
  /** The line that heads a table, and the rows below it, in UTF-16 units. */
  tableLineCharsMax: 320,
  tableCharsMax: 8_192,
  /** A private key from BEGIN to END, in UTF-16 units. */
  privateKeyCharsMax: 64 * 1024,
  /** Each pass may lay bare what the one before covered in part. */
  passesMax: 4,
} as const;

/** Bounds on finding paths in a tool's output. Each path found costs one access to the disk. */
export const discoveryLimits = {
  /** Paths of one output; a call may touch no more files. */
  pathsMax: 1_000,
  /** The part of an output that is looked at, in UTF-16 units. */
  outputCharsMax: 2 * 1024 * 1024,
  /** A longer line is data, not a listing, in UTF-16 units. */
  lineCharsMax: 2_000,
  /** One path as it stands in the output, in UTF-16 units. */
  pathCharsMax: 1_024,
  /** A command that is looked at for what it lists, in UTF-16 units. */
  commandCharsMax: 16_384,
  /** Folders that a command may list. */
  foldersMax: 8,
  /** Folders within each other in the output of `tree`. */
  treeDepthMax: 64,
} as const;
