/** Bounds of an exchange, unit last. Lines of files and their nesting are bounded by `@cm/journal`. */
export const limits = {
  /** Characters of a file's entries that one commit of an import brings, and one read of an export. */
  batchCharsMax: 1024 * 1024,
  /** Documents that one commit of an import brings before the next one begins. */
  batchDocumentsMax: 2_000,
  /** A text of fewer characters stands in the entry itself, not by reference. */
  referredCharsMin: 64,
  /** A commit whose answer was lost is repeated so often. */
  commitRepeatsMax: 5,
  /** A secret that is known by its name alone is looked for where name and text together are not longer. */
  namedCharsMax: 4_096,
  /** A shorter text stays in an entry of which something was erased: names and numbers, which its shape needs. */
  erasedCharsMin: 32,
} as const;
