/** Bounds of the form in which databases hold documents, unit last. */
export const storedFormLimits = {
  /** Texts below this are stored plain: a compressed frame costs more than it saves. */
  contentCompressBytesMin: 128,
  /** From here on with zstd; shorter texts with deflate, whose state is small and made in a third of the time. */
  contentZstdBytesMin: 4_096,
  /** Payloads below this are stored plain. */
  payloadCompressBytesMin: 104,
  /** A payload as JSON may be this much longer than `payloadBytesMax`, which counts its canonical form. */
  payloadSlackBytes: 1_048_576,
} as const;
