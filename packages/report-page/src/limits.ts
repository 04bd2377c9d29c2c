/** Bounds on what stands in a page, unit last. */
export const limits = {
  /** UTF-16 units of one text that is put in; longer text ends in `…`. */
  textCharsMax: 1_000,
} as const;
