import { CmError } from "@cm/object-model";
import { type Entry, isKnownType, type MessageEntry, toEntry } from "./entry.ts";
import { currentVersion, type JournalHeader, toHeader } from "./header.ts";
import type { JsonLine, RawObject } from "./json-lines.ts";
import { limits } from "./limits.ts";
import { madeUpId, migrate, type RawEntry } from "./migrate.ts";
import type { JournalProblem } from "./problem.ts";
import { type Tally, tallyOf } from "./tally.ts";
import { type EntryTree, type PlacedEntry, pathTo, treeOf } from "./tree.ts";

/** A whole session file, brought to version 3 in memory. */
export interface Journal extends EntryTree {
  readonly header: JournalHeader;
  /** Version that the file is written in: 1, 2, 3, or a later one that was read as 3. */
  readonly fileVersion: number;
  /** Everything after the header, in file order. */
  readonly entries: readonly Entry[];
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
  const raws: RawEntry[] = [];
  const skipped: number[] = [];
  for (const line of lines) {
    if (line.value === undefined) skipped.push(line.number);
    else raws.push({ line: line.number, value: line.value });
  }
  const [first, ...rest] = raws;
  const found = first === undefined ? undefined : toHeader(first.value);
  const header = found ?? (first !== undefined && options.headerless ? madeUpHeader(first.value) : undefined);
  if (header === undefined) throw notASession(options.name ?? "the session", raws.length, skipped.length);

  const isLost = found === undefined;
  const problems: JournalProblem[] = [];
  if (isLost) problems.push({ kind: "no-header", line: 1 });
  if (header.version > currentVersion) problems.push({ kind: "newer-version", line: 1 });
  const placed = place(migrate(isLost ? raws : rest, header.version, isLost ? 0 : 1), problems);
  const tree = treeOf(placed);
  return {
    header: { ...header, version: currentVersion },
    fileVersion: header.version,
    entries: placed.map(({ entry }) => entry),
    byId: tree.byId,
    children: tree.children,
    skipped: tallyOf(skipped, limits.skippedLinesKept),
    problems: tallyOf([...problems, ...tree.problems], limits.problemsKept),
  };
}

/** Gives every entry an id and a parent, and notes what was odd. */
function place(raws: readonly RawEntry[], problems: JournalProblem[]): readonly PlacedEntry[] {
  const taken = new Set(raws.map(({ value }) => value.id));
  const placed: PlacedEntry[] = [];
  for (const { line, value } of raws) {
    if (value.type === "session") {
      problems.push({ kind: "header-again", line });
      continue;
    }
    const hasId = typeof value.id === "string" && value.id !== "";
    if (!hasId) problems.push({ kind: "missing-id", line });
    const id = hasId ? (value.id as string) : freeId(line, taken);
    const parentId = typeof value.parentId === "string" && value.parentId !== "" ? value.parentId : null;
    const entry = toEntry(value, { id, parentId });
    if (entry.type === "unknown" && isKnownType(value.type)) problems.push({ kind: "unreadable-entry", line });
    placed.push({ line, entry });
  }
  return placed;
}

function freeId(line: number, taken: Set<unknown>): string {
  let id = madeUpId(line);
  while (taken.has(id)) id = `${id}'`;
  taken.add(id);
  return id;
}

/** Entries carry ids from version 2 on; only that can still be told without a header. */
function madeUpHeader(first: RawObject): JournalHeader | undefined {
  if (!isKnownType(first.type)) return undefined;
  return { type: "session", version: typeof first.id === "string" ? currentVersion : 1, id: "" };
}

function notASession(file: string, objects: number, skipped: number): CmError<"journal/not-a-session"> {
  const message = `${file} does not begin with a session header; name a Pi or oh-my-pi session file.`;
  return new CmError("journal/not-a-session", message, { file, objects, skipped });
}

/**
 * The entries from the root to the leaf, as the tree has them: nothing is left out for compaction.
 * @param leafId where to end. Default, and where the file has no such entry: its last entry. Null: before all entries.
 */
export function activePath(journal: Journal, leafId?: string | null): readonly Entry[] {
  if (leafId === null) return [];
  const leaf = (leafId === undefined ? undefined : journal.byId.get(leafId)) ?? journal.entries.at(-1);
  return leaf === undefined ? [] : pathTo(leaf, journal.byId);
}

/** All messages of all branches, as they were written. */
export function messagesInFileOrder(journal: Journal): readonly MessageEntry[] {
  return journal.entries.filter((entry) => entry.type === "message");
}
