/** The ideas of the context log that can be left out, each by itself, to see what it is worth (SSOT 6). */
export const contextLogIdeas = [
  /** A turn that begins shortens the clocks of what waited in the one before. */
  "turns",
  /** A read whose file was edited since is soon dead. */
  "edited-since",
  /** Line numbers on every tenth line. */
  "sparse",
  /** Re-reads and results that repeat their arguments as references, changed text as a diff. */
  "earlier-text",
  /** Arguments become references. */
  "arguments",
  /** Edits that were made lose the text that they replaced. */
  "replaced",
  /** What an edit misses is brought back. */
  "fault-service",
  /** With what an edit misses, the files come back that were once edited together with its file. */
  "plans",
  /** References keep names that stand nowhere else. */
  "names",
  /** Names stand in a line of their text where a short one has them. */
  "lines",
  /** The floor spares short parts, and files that were edited together, rather than others. */
  "worth",
  /** Cuts where and when the rent exceeds the price; without it, every 11 calls. */
  "rent",
  /** Cuts anywhere; without it, at the oldest dead part. */
  "best-cut",
] as const;

export type ContextLogIdea = (typeof contextLogIdeas)[number];
