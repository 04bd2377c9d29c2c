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
  filesystemIdCharsMax: 256,
  /** Fields that one sentence about a broken file names. */
  fieldsNamedMax: 5,
} as const;
