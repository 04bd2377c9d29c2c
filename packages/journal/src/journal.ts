import { CmError } from "@cm/object-model";
import { isKnownKind, isWellFormed } from "./format/entry-schema.ts";
import {
  currentSessionVersion,
  type FileEntry,
  type SessionEntry,
  type SessionHeader,
  type SessionMessageEntry,
} from "./format/session-entry.ts";
import type { JsonLine } from "./json-lines.ts";
import { limits } from "./limits.ts";
import { migrateSessionEntries, versionOf } from "./load/migrate-session.ts";
import { headerPosition } from "./load/parse-session-text.ts";
import { type JournalProblem, type PlacedEntry, problemOf, treeProblems } from "./problem.ts";
import { type Tally, tallyOf } from "./tally.ts";
import { indexEntries, pathAt } from "./tree/entry-index.ts";

/** A whole session file, brought to version 3 in memory. */
export interface Journal {
  readonly header: SessionHeader;
  /** Version that the file is written in: 1, 2, 3, or a later one that is read as 3. */
  readonly fileVersion: number;
  /** Everything after the header, in file order, with the fields of the file; each has an id, a parent and a time. */
  readonly entries: readonly SessionEntry[];
  /** The last one of entries with the same id. A map, because ids come from outside and may be called `__proto__`. */
  readonly byId: ReadonlyMap<string, SessionEntry>;
  /** Entry id to its label. */
  readonly labels: ReadonlyMap<string, string>;
  /** Numbers of lines that are no JSON object, such as a cut last one. */
  readonly skipped: Tally<number>;
  readonly problems: Tally<JournalProblem>;
}

export interface ParseOptions {
  /** The name of the session in errors. */
  readonly name?: string;
  /** Read on, with a made-up header, where the first line is lost but an entry follows. Default: refuse. */
  readonly headerless?: boolean;
}

/**
 * The pure part of reading: lines in, journal out.
 * @throws CmError `journal/not-a-session`; data: file, objects, skipped (both counts of lines).
 */
export function parseJournal(lines: Iterable<JsonLine>, options: ParseOptions = {}): Journal {
  const read: ReadLine[] = [];
  const skipped: number[] = [];
  for (const { number: line, value } of lines) {
    if (value === undefined) skipped.push(line);
    else read.push({ line, value: { ...value } as unknown as FileEntry });
  }
  const problems: JournalProblem[] = [];
  const [first, ...rest] = fromHeader(read, options, problems) ?? [];
  if (first?.value.type !== "session") throw notASession(options.name ?? "the session", read.length, skipped.length);
  const fileVersion = versionOf(first.value);
  if (fileVersion > currentSessionVersion) problems.push({ kind: "newer-version", line: 1 });
  migrateSessionEntries(
    [first, ...rest].map(({ value }) => value),
    (at) => madeUpId(rest[at - 1]?.line ?? 0),
  );
  const placed = place(rest, problems);
  const entries = placed.map(({ entry }) => entry);
  const { byId, labels } = indexEntries(entries);
  return {
    ...{ header: first.value, fileVersion, entries, byId, labels },
    skipped: tallyOf(skipped, limits.skippedLinesKept),
    problems: tallyOf([...problems, ...treeProblems(placed, byId)], limits.problemsKept),
  };
}

/** An object of the file, of which only the first level is our own copy. */
interface ReadLine {
  readonly line: number;
  readonly value: FileEntry;
}

/** The header, found or made up, and what follows; undefined where the lines are no session. */
function fromHeader(
  read: readonly ReadLine[],
  { headerless = false }: ParseOptions,
  problems: JournalProblem[],
): readonly ReadLine[] | undefined {
  const at = headerPosition(read.map(({ value }) => value));
  if (at >= 0) return read.slice(at);
  const [first] = read;
  if (!headerless || first === undefined || !isKnownKind(first.value.type)) return undefined;
  problems.push({ kind: "no-header", line: 1 });
  // Entries carry ids from version 2 on; only that can still be told.
  const version = typeof first.value.id === "string" ? currentSessionVersion : 1;
  return [{ line: 0, value: { type: "session", version, id: "", timestamp: "", cwd: "" } }, ...read];
}

/** Gives every entry an id, a parent and a time, and notes what was odd. */
function place(lines: readonly ReadLine[], problems: JournalProblem[]): readonly PlacedEntry[] {
  const taken = new Set<unknown>(lines.map(({ value }) => value.id));
  return lines.flatMap(({ line, value }) => {
    if (value.type === "session") {
      problems.push({ kind: "header-again", line });
      return [];
    }
    const hasId = typeof value.id === "string" && value.id !== "";
    const id = hasId ? value.id : freeId(line, taken);
    const parentId = typeof value.parentId === "string" && value.parentId !== "" ? value.parentId : null;
    const timestamp = typeof value.timestamp === "string" ? value.timestamp : "";
    const entry: SessionEntry = Object.assign(value, { id, parentId, timestamp });
    if (!hasId) problems.push({ kind: "missing-id", line });
    problems.push(...problemOf({ line, entry }));
    return [{ line, entry }];
  });
}

/** The id of an entry without one. It derives from the line number, so that a second reading gives the same id. */
function madeUpId(line: number): string {
  return `line-${line}`;
}

function freeId(line: number, taken: Set<unknown>): string {
  let id = madeUpId(line);
  while (taken.has(id)) id = `${id}'`;
  taken.add(id);
  return id;
}

function notASession(file: string, objects: number, skipped: number): CmError<"journal/not-a-session"> {
  const message = `${file} does not begin with a session header; name a Pi or oh-my-pi session file.`;
  return new CmError("journal/not-a-session", message, { file, objects, skipped });
}

/**
 * The entries from the root to the leaf, as the tree has them: nothing is left out for compaction.
 * @param leafId where to end. Default, and where the file has no such entry: its last entry. Null: before all entries.
 */
export function activePath({ entries, byId }: Journal, leafId?: string | null): readonly SessionEntry[] {
  return pathAt(entries, leafId, byId);
}

/** All messages of all branches, as they were written. */
export function messagesInFileOrder(journal: Journal): readonly SessionMessageEntry[] {
  return journal.entries.filter((entry) => entry.type === "message" && isWellFormed(entry)) as SessionMessageEntry[];
}
