/** Bounds on files in Pi, unit last. */
export const fileTouchLimits = {
  /** Files that one call touches; `@cm/session` takes 1,000. */
  touchesPerCallMax: 1_000,
  /** Files that all calls of a step touch; `@cm/session` takes 5,000. */
  touchesPerStepMax: 5_000,
  /** A path that a call names, in UTF-16 units. */
  pathCharsMax: 4_096,
  /** How long to wait for which of a path's spellings is there. */
  spellingsMs: 1_000,
  /** The end of an output in which Pi's own remarks are looked for, in UTF-16 units. */
  remarkCharsMax: 8_192,
  /** The part of a listing that is looked at, in UTF-16 units; Pi's tools give at most 51,200 bytes and a remark. */
  listingCharsMax: 2 * 1024 * 1024,
  /** Files of secrets that were met and are named to a person. */
  closedSecretsMax: 1_000,
  /** Calls whose nested calls are remembered until their own result comes. */
  parentsMax: 256,
  /** Files of a sandbox of which is remembered what a tool told; `toldCharsMax` of their texts, in UTF-16 units. */
  toldFilesMax: 5_000,
  toldCharsMax: 16 * 1024 * 1024,
  /** Mounts in one message of a sandbox. */
  mountsMax: 256,
  /** An id of a container or a file system in such a message, in UTF-16 units. */
  idCharsMax: 256,
} as const;
