import { basename } from "node:path";
import { limits } from "../limits.ts";
import { FileSessionStorage } from "../storage/file-session-storage.ts";
import type { SessionStorage } from "../storage/session-storage.ts";
import { firstPrompt, type ListedPrefix, readPrefixes } from "./listed-prefix.ts";

/** What a list to choose from shows of a session. */
export interface RecentSession {
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly mtime: number;
  /** Title, else first prompt, else id; one line without control characters. */
  readonly fullName: string;
  /** The same, cut to `limits.listedNameCharsMax`. */
  readonly name: string;
}

/** The newest sessions of a folder, by the time of their files. A folder that is not there has none. */
export async function getRecentSessions(
  sessionDir: string,
  limit = 3,
  storage: SessionStorage = new FileSessionStorage(),
): Promise<RecentSession[]> {
  const prefixes = await readPrefixes(storage, storage.listFilesSync(sessionDir, "*.jsonl"));
  return prefixes.slice(0, Math.max(0, limit)).map(recentOf);
}

/** The path of the newest session of a folder, or null. */
export async function findMostRecentSession(
  sessionDir: string,
  storage: SessionStorage = new FileSessionStorage(),
): Promise<string | null> {
  const [newest] = await readPrefixes(storage, storage.listFilesSync(sessionDir, "*.jsonl"));
  return newest?.path ?? null;
}

function recentOf({ path, header, entries, mtimeMs }: ListedPrefix): RecentSession {
  const fullName =
    oneLine(header.title) ?? oneLine(firstPrompt(entries)) ?? oneLine(header.id) ?? basename(path, ".jsonl");
  const characters = [...fullName];
  const max = limits.listedNameCharsMax;
  return {
    path,
    mtime: mtimeMs,
    fullName,
    name: characters.length <= max ? fullName : `${characters.slice(0, max - 1).join("")}…`,
  };
}

/** The first line without control characters; undefined where nothing is left of it. */
export function oneLine(text: unknown): string | undefined {
  if (typeof text !== "string") return undefined;
  const [first = ""] = text.split(/\r?\n/);
  return first.replace(/\p{Cc}/gu, "").trim() || undefined;
}
