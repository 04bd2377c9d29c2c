/** Every bound on what comes from a container, its engine or a binding, unit last. Passing one is an answer with a reason. */
export const limits = {
  /** Containers that one source is given. */
  containersMax: 32,
  /** Folders of one container that are looked into. */
  rootsMax: 32,
  /** Words of the command that runs a program in a container. */
  commandWordsMax: 64,
  /** The name that a container's files have as a file system, in UTF-16 units. */
  idCharsMax: 256,
  /** A path in UTF-8, in bytes; Linux opens no longer one. */
  pathBytesMax: 4_095,
  /** Execs of one source at the same time. */
  execsAtOnce: 4,
  /** Paths and hashes on the command line of one exec, in bytes; more take another exec. */
  argumentBytesMax: 64 * 1024,
  /** Files that one exec gives the bytes of, together; a larger file comes alone. */
  answerBytesMax: 16 * 1024 * 1024,
  /** The output of an exec without the bytes of files. */
  headingBytesMax: 1024 * 1024,
  /** A file that is larger is not hashed, so that nothing is known of it. */
  hashedBytesMax: 1024 * 1024 * 1024,
  /** The kept part of an engine's error output; it is compared with known words and never shown. */
  errorOutputBytesMax: 64 * 1024,
  /** Times that a file is read again which changed while it was read. */
  readsMax: 3,
} as const;
