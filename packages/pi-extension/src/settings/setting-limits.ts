/** Bounds on what people write into settings, unit last. */
export const settingLimits = {
  fileBytesMax: 65_536,
  /** A path, a URL, a token or a pattern, in UTF-16 units. */
  textCharsMax: 4_096,
  urlsMax: 16,
  mountsMax: 256,
  rootsMax: 256,
  /** Lines of gitignore rules. */
  ignoreMax: 1_000,
  discoverMax: 256,
  /** Repositories, buckets' endpoints and containers, together. */
  sourcesMax: 32,
  /** Words of the command that enters a container, and folders that are looked into there. */
  commandWordsMax: 32,
  filesystemIdCharsMax: 256,
  /** Patterns of tools, and as many of paths, that one place names. */
  protectMax: 256,
  /** Newest prompts that stay in full. */
  promptsMax: 1_000,
  /** Sections for models in one file. */
  modelsMax: 64,
  /** Mistakes that the notice says; it counts the others. */
  problemsNamedMax: 40,
  /** UTF-16 units of a sentence about one. */
  problemCharsMax: 500,
} as const;
