import { isKnownKind, isWellFormed } from "./format/entry-schema.ts";
import type { SessionEntry } from "./format/session-entry.ts";
import { parentOf } from "./tree/entry-index.ts";

/** Oddities that the reader tolerates, because a session that was half lost is still worth reading. */
export type JournalProblemKind =
  | "no-header" // the first line was lost; the header is made up
  | "header-again" // a second header in the middle, as in files joined by hand; left out
  | "newer-version" // written by a later version of the format; read as version 3
  | "unreadable-entry" // a known kind in a shape that is not its own; it brings nothing into the context
  | "missing-id" // the id is made up from the line number
  | "duplicate-id" // the later entry is the one that others continue
  | "missing-parent" // the path begins here
  | "cycle"; // parents lead back to the entry itself; a path ends where it would meet an entry twice

export interface JournalProblem {
  readonly kind: JournalProblemKind;
  /** Line of the file, from 1. */
  readonly line: number;
}

/** An entry and the line that it stood on. */
export interface PlacedEntry {
  readonly line: number;
  readonly entry: SessionEntry;
}

/** What is odd about an entry alone. */
export function problemOf({ line, entry }: PlacedEntry): readonly JournalProblem[] {
  return isKnownKind(entry.type) && !isWellFormed(entry) ? [{ kind: "unreadable-entry", line }] : [];
}

/** What is odd about the places of entries in the tree. */
export function treeProblems(
  placed: readonly PlacedEntry[],
  byId: ReadonlyMap<string, SessionEntry>,
): readonly JournalProblem[] {
  const met = new Set<string>();
  const twice: JournalProblem[] = [];
  const orphans: JournalProblem[] = [];
  for (const { entry, line } of placed) {
    if (met.has(entry.id)) twice.push({ kind: "duplicate-id", line });
    if (entry.parentId !== null && !byId.has(entry.parentId)) orphans.push({ kind: "missing-parent", line });
    met.add(entry.id);
  }
  return [...twice, ...orphans, ...cyclesOf(placed, byId)];
}

/** One problem for each cycle, at the first entry of the file that leads into it. Visits every entry once. */
function cyclesOf(placed: readonly PlacedEntry[], byId: ReadonlyMap<string, SessionEntry>): readonly JournalProblem[] {
  const problems: JournalProblem[] = [];
  const walkOf = new Map<SessionEntry, number>();
  for (const { entry: start, line } of placed) {
    let entry: SessionEntry | undefined = start;
    while (entry !== undefined && !walkOf.has(entry)) {
      walkOf.set(entry, line);
      entry = parentOf(entry, byId);
    }
    // Met in this very walk, not in an earlier one.
    if (entry !== undefined && walkOf.get(entry) === line) problems.push({ kind: "cycle", line });
  }
  return problems;
}
