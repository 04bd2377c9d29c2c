import { isSessionHeader } from "../format/entry-schema.ts";
import type { FileEntry } from "../format/session-entry.ts";
import { isRawObject, isTooDeep, parsed, type RawObject } from "../json-lines.ts";
import { limits } from "../limits.ts";
import { blobPrefix } from "../write/blob-store.ts";

/** What the text of a session file holds, line by line. */
export interface SessionText {
  /** The header and everything after it; empty where the text is no session. */
  readonly entries: FileEntry[];
  /** Lines before the header that newer versions of oh-my-pi write, as they stand. */
  readonly preamble: readonly string[];
  /** Lines that are no JSON object. */
  readonly skippedLines: number;
  /** Whether there is anything but blank lines. */
  readonly hasContent: boolean;
  /** Whether a reference to a blob stands anywhere. */
  readonly namesBlobs: boolean;
}

/** Reads all lines that can be read; the others are counted. Never throws. */
export function parseSessionText(text: string): SessionText {
  const { objects, titles, ...lines } = objectsOf(text);
  const at = headerPosition(objects);
  const facts = { ...lines, namesBlobs: text.includes(blobPrefix) };
  if (at < 0) return { entries: [], preamble: [], ...facts };
  const entries = at === 0 ? objects : objects.slice(at);
  return { entries: entries as unknown as FileEntry[], preamble: titles, ...facts };
}

/** The objects of a text of JSON lines. Lines that cannot be read are left out. Never throws. */
export function parseJsonlLenient(text: string): RawObject[] {
  return objectsOf(text).objects;
}

/** Where the header stands: at the beginning, or behind a title. -1 where the objects are no session. */
export function headerPosition(objects: readonly { readonly type?: unknown }[]): number {
  const at = objects.findIndex(({ type }) => type !== "title");
  return isSessionHeader(objects[at]) ? at : -1;
}

interface ReadLines {
  readonly objects: RawObject[];
  /** The lines of those that stand before all others, and are titles. */
  readonly titles: readonly string[];
  readonly skippedLines: number;
  readonly hasContent: boolean;
}

function objectsOf(text: string): ReadLines {
  const objects: RawObject[] = [];
  const titles: string[] = [];
  let skippedLines = 0;
  let hasContent = false;
  for (let start = text.startsWith("\uFEFF") ? 1 : 0; start < text.length; ) {
    const end = text.indexOf("\n", start);
    const line = text.slice(start, end < 0 ? text.length : end);
    start = end < 0 ? text.length : end + 1;
    if (line.trim() === "") continue;
    hasContent = true;
    const value = objectOf(line);
    if (value === undefined) skippedLines += 1;
    else if (value.type === "title" && titles.length === objects.length) titles.push(line);
    if (value === undefined) objects.push(...joinedIn(line));
    else objects.push(value);
  }
  return { objects, titles, skippedLines, hasContent };
}

function objectOf(line: string): RawObject | undefined {
  const value = parsed(line);
  return isRawObject(value) && !isTooDeep(value, line) ? value : undefined;
}

const beginning = '{"type":"';

/**
 * Entries in a line that is no JSON as a whole. A process that is killed leaves half a line without its end, and the next
 * writer's line stands right behind it. A quote inside of a string is escaped, so that no text looks like a beginning.
 */
function joinedIn(line: string): RawObject[] {
  const found: RawObject[] = [];
  let end = line.length;
  let at = line.lastIndexOf(beginning);
  for (let tries = 0; at >= 0 && tries < limits.joinedLinesMax; tries += 1) {
    const piece = line.slice(at, end);
    const value = objectOf(piece);
    if (value !== undefined && isWholeEntry(value)) {
      found.unshift(value);
      end = at;
    }
    at = at === 0 ? -1 : line.lastIndexOf(beginning, at - 1);
  }
  return found;
}

/** A part of a message can be a whole object, too, but has no place in the tree. */
function isWholeEntry(value: RawObject): boolean {
  return isSessionHeader(value) || (typeof value.id === "string" && "parentId" in value && "timestamp" in value);
}
