/** Oddities that the reader tolerates, because a session that was half lost is still worth reading. */
export type JournalProblemKind =
  | "no-header" // the first line was lost; the header is made up
  | "header-again" // a second header in the middle, as in files joined by hand; left out
  | "newer-version" // written by a later version of the format; read as version 3
  | "unreadable-entry" // a known type in a shape that is not its own; kept as `unknown`
  | "missing-id" // the id is made up from the line number
  | "duplicate-id" // the later entry is the one that others continue
  | "missing-parent" // the path begins here
  | "cycle"; // parents lead back to the entry itself; a path ends where it would meet an entry twice

export interface JournalProblem {
  readonly kind: JournalProblemKind;
  /** Line of the file, from 1. */
  readonly line: number;
}
