/** Bounds on what people write into settings, unit last. */
export const settingLimits = {
  fileBytesMax: 65_536,
  /** A path, a URL or a token, in UTF-16 units. */
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
  /** Fields that one sentence about a broken file names. */
  fieldsNamedMax: 5,
} as const;
