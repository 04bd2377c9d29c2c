/** Bounds of what an agent asks of the context tool and gets from it. */
export const contextToolLimits = {
  /** Objects that one call names. */
  namesPerCallMax: 20,
  /** What a call's `id` may weigh, in characters. */
  idCharsMax: 2_000,
  /** Text that one answer brings back, in characters, over all its objects. */
  shownCharsMax: 48_000,
  /** Places that `match` shows of one text, lines around each, and characters of one such line. */
  matchesMax: 20,
  matchAroundLines: 2,
  matchLineCharsMax: 300,
  /** Rows of a list, and objects that are looked through for it. */
  rowsMax: 30,
  objectsMax: 10_000,
  /** Characters of a path or command in a head line, row or refusal, of a reason, and of what `match` looks for. */
  fieldCharsMax: 120,
  reasonCharsMax: 300,
  matchCharsMax: 500,
  /** Objects with a like name that a refusal names. */
  likeNamesMax: 3,
} as const;
