import { limits as modelLimits } from "@cm/object-model";

/** Every bound of this package on what comes from outside, unit last. Those of documents are the object model's. */
export const limits = {
  /** A whole bundle, expanded; the default, which callers may change. */
  bundleBytesMax: 256 * 1024 * 1024,
  /** How much longer than its compressed form a bundle may be. */
  expansionRatioMax: 20,
  /** Below this expanded size the ratio is not checked, because a short text of few words shrinks to almost nothing. */
  ratioFreeBytes: 1024 * 1024,
  /** One line, without its end. */
  lineBytesMax: 64 * 1024 * 1024,
  linesMax: 250_000,
  /** Nesting of one line: that of a document, and two levels around it. */
  lineDepthMax: modelLimits.jsonDepthMax + 2,
  /** Members and elements of one line: those of a document, and a few around them. */
  lineValuesMax: modelLimits.jsonValuesMax + 100,
  /** Sessions whose steps one bundle carries: its own, and those that it was forked from. */
  sessionsMax: 1_000,
  /** Small objects in one read: steps, keyframes. */
  smallObjectsPerReadMax: 256,
  /** Documents in one commit of an import, and about how many bytes they have. */
  commitWritesMax: 1_000,
  commitBytesMax: 8 * 1024 * 1024,
  /** Objects whose histories a copy reads in one request, and, where a store gives them one by one, at a time. */
  historiesPerRead: 500,
  historiesAtOnce: 8,
  /** Transactions whose documents are read ahead of their commit. */
  transactionsAhead: 4,
  /** How often a commit is sent whose answer was lost. */
  commitAttemptsMax: 3,
  /** Ids that one error names. */
  idsPerErrorMax: 20,
  /** Valid times, in milliseconds since the epoch: the years that every store can keep. */
  validTimeMinMs: Date.UTC(1583, 0, 2),
  validTimeMaxMs: Date.UTC(9998, 11, 31),
} as const;
