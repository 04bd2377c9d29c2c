import { isSessionHeader } from "../format/entry-schema.ts";
import type { FileEntry } from "../format/session-entry.ts";
import { isDeeperThan, isRawObject, parsed, type RawObject } from "../json-lines.ts";
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
  const { objects, skippedLines, hasContent } = objectsOf(text);
  const at = headerPosition(objects.map(({ value }) => value));
  const facts = { skippedLines, hasContent, namesBlobs: text.includes(blobPrefix) };
  if (at < 0) return { entries: [], preamble: [], ...facts };
  return {
    entries: objects.slice(at).map(({ value }) => value as unknown as FileEntry),
    preamble: objects.slice(0, at).map(({ line }) => line),
    ...facts,
  };
}

/** Where the header stands: at the beginning, or behind a title. -1 where the objects are no session. */
export function headerPosition(objects: readonly { readonly type?: unknown }[]): number {
  const at = objects.findIndex(({ type }) => type !== "title");
  return isSessionHeader(objects[at]) ? at : -1;
}

interface ReadObject {
  readonly line: string;
  readonly value: RawObject;
}

function objectsOf(text: string): { objects: ReadObject[]; skippedLines: number; hasContent: boolean } {
  const objects: ReadObject[] = [];
  let skippedLines = 0;
  let hasContent = false;
  for (let start = text.startsWith("\uFEFF") ? 1 : 0; start < text.length; ) {
    const end = text.indexOf("\n", start);
    const line = text.slice(start, end < 0 ? text.length : end);
    start = end < 0 ? text.length : end + 1;
    if (line.trim() === "") continue;
    hasContent = true;
    const value = objectOf(line);
    if (value === undefined) {
      objects.push(...joinedIn(line));
      skippedLines += 1;
    } else objects.push({ line, value });
  }
  return { objects, skippedLines, hasContent };
}

function objectOf(line: string): RawObject | undefined {
  const value = parsed(line);
  return isRawObject(value) && !isDeeperThan(value, limits.jsonDepthMax) ? value : undefined;
}

const beginning = '{"type":"';

/**
 * Entries in a line that is no JSON as a whole. A process that is killed leaves half a line without its end, and the next
 * writer's line stands right behind it. A quote inside of a string is escaped, so that no text looks like a beginning.
 */
function joinedIn(line: string): ReadObject[] {
  const found: ReadObject[] = [];
  let end = line.length;
  let at = line.lastIndexOf(beginning);
  for (let tries = 0; at >= 0 && tries < limits.joinedLinesMax; tries += 1) {
    const piece = line.slice(at, end);
    const value = objectOf(piece);
    if (value !== undefined && isWholeEntry(value)) {
      found.unshift({ line: piece, value });
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
