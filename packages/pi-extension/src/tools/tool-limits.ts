/** Bounds of what the model asks of the tools and gets from them. */
export const toolLimits = {
  /** Objects that one call names. */
  namesPerCallMax: 20,
  /** What a call's `id` may weigh, in characters. */
  idCharsMax: 2_000,
  /** Rows of a list. */
  rowsPerPage: 40,
  /** Characters of a path, or of a call's arguments, in a row. */
  fieldCharsMax: 120,
  /** Characters of a refusal or fault. */
  reasonCharsMax: 300,
} as const;
