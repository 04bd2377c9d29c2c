/** Bounds, unit last. */
export const limits = {
  /** Free space below which a store is worth a warning. */
  freeBytesWarn: 1024 ** 3,
  /** Free space below which a commit may not fit. */
  freeBytesFail: 64 * 1024 ** 2,
  /** A write-ahead log beyond this is worth a remark. */
  logBytesWarn: 256 * 1024 ** 2,
} as const;
