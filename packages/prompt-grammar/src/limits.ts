/** Every bound on what a line of ours says of foreign text, unit last. */
export const limits = {
  /** A one-line field as it stands in a header or pool line, quotes included, in UTF-16 units. */
  fieldCharsMax: 512,
} as const;
