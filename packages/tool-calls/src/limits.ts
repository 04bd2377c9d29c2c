/** How much is looked at to tell what a call did, unit last: what comes from an agent has any length. */
export const limits = {
  /** Of a tool's name, in UTF-16 units; a longer one promises nothing. */
  toolNameCharsMax: 200,
  shellCommandCharsMax: 500,
  patchCharsMax: 200_000,
  /** Addresses of commits and buckets are looked for in this much of a command. */
  addressCharsMax: 65_536,
  outputStartCharsMax: 2_000,
  /** Files of one call; a call that names more is treated as one that names none. */
  toolFilesMax: 100,
} as const;
