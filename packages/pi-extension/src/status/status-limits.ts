/** Bounds of the status line and of notices. */
export const statusLimits = {
  /** Characters of the reason why something does not work. */
  reasonCharsMax: 56,
  /** Paths that a notice names of each kind; the others are counted. */
  noticePathsMax: 3,
  /** Characters of each. */
  noticePathCharsMax: 60,
  /** Texts that a long notice of a fold names, the heaviest first. */
  foldedNamedMax: 10,
} as const;
