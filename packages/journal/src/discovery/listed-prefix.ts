import { isSessionHeader } from "../format/entry-schema.ts";
import type { FileEntry, SessionEntry, SessionHeader } from "../format/session-entry.ts";
import { isRawObject } from "../json-lines.ts";
import { limits } from "../limits.ts";
import { parseSessionText } from "../load/parse-session-text.ts";
import type { SessionStorage } from "../storage/session-storage.ts";

/** What the beginning of a file tells. */
export interface ListedPrefix {
  readonly path: string;
  readonly header: SessionHeader;
  /** Whole entries of the beginning. */
  readonly entries: readonly SessionEntry[];
  readonly mtimeMs: number;
  readonly bytes: number;
}

/** The beginning of a file; undefined where it is no session or cannot be read: one such file never stops the others. */
export async function readPrefix(storage: SessionStorage, path: string): Promise<ListedPrefix | undefined> {
  try {
    const { size, mtimeMs } = storage.statSync(path);
    const text = await storage.readTextPrefix(path, limits.listedPrefixBytes);
    const first = parseSessionText(text).entries;
    const isCut = first.length === 0 && size > limits.listedPrefixBytes;
    const entries = isCut ? await longHeader(storage, path) : first;
    const [header, ...rest] = entries;
    if (!isSessionHeader(header)) return undefined;
    return { path, header, entries: rest as SessionEntry[], mtimeMs, bytes: size };
  } catch {
    return undefined;
  }
}

/** Headers may hold what an extension put into them. */
async function longHeader(storage: SessionStorage, path: string): Promise<FileEntry[]> {
  return parseSessionText(await storage.readTextPrefix(path, limits.listedHeaderBytes)).entries;
}

/** The prefixes of many files, some at a time, without those that are none. */
export async function readPrefixes(storage: SessionStorage, paths: readonly string[]): Promise<ListedPrefix[]> {
  const found: ListedPrefix[] = [];
  for (let start = 0; start < paths.length; start += limits.listedFilesAtOnce) {
    const some = paths.slice(start, start + limits.listedFilesAtOnce);
    const read = await Promise.all(some.map((path) => readPrefix(storage, path)));
    found.push(...read.filter((prefix) => prefix !== undefined));
  }
  return found.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? 1 : -1));
}

/** The texts of a message, joined by spaces. */
export function messageText(message: unknown): string {
  if (!isRawObject(message)) return "";
  if (typeof message.content === "string") return message.content;
  if (!Array.isArray(message.content)) return "";
  return message.content
    .flatMap((part) => (isRawObject(part) && part.type === "text" && typeof part.text === "string" ? [part.text] : []))
    .join(" ");
}

/** The first text of a user. */
export function firstPrompt(entries: readonly SessionEntry[]): string | undefined {
  for (const entry of entries) {
    if (entry.type !== "message" || !isRawObject(entry.message) || entry.message.role !== "user") continue;
    const text = messageText(entry.message);
    if (text !== "") return text;
  }
  return undefined;
}
