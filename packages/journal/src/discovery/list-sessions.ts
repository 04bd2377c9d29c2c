import { join } from "node:path";
import { isRawObject } from "../json-lines.ts";
import { FileSessionStorage } from "../storage/file-session-storage.ts";
import type { SessionStorage } from "../storage/session-storage.ts";
import { firstPrompt, type ListedPrefix, messageText, readPrefixes } from "./listed-prefix.ts";
import { defaultAgentDir, defaultSessionDir } from "./session-folders.ts";

/** What the beginning of a session's file tells. */
export interface SessionInfo {
  readonly path: string;
  readonly id: string;
  /** Empty where the file does not say it. */
  readonly cwd: string;
  /** The title, else the short summary of a compaction. */
  readonly title?: string;
  readonly parentSession?: string;
  readonly created: Date;
  readonly modified: Date;
  /** Size of the file. */
  readonly bytes: number;
  /** Messages in what was read, the beginning of the file: a long session has more. */
  readonly messageCount: number;
  readonly firstMessage: string;
  /** The texts in what was read. */
  readonly allMessagesText: string;
}

export interface ListOptions {
  readonly storage?: SessionStorage;
  /** Where the program keeps its sessions. Default: oh-my-pi's, `~/.omp/agent`. */
  readonly agentDir?: string;
}

/** The sessions of one working directory, newest first. Reads a prefix of each file. */
export async function listSessions(
  cwd: string,
  sessionDir?: string,
  options: ListOptions = {},
): Promise<SessionInfo[]> {
  const { storage = new FileSessionStorage(), agentDir = defaultAgentDir() } = options;
  const dir = sessionDir ?? defaultSessionDir(cwd, agentDir);
  return infosOf(storage, storage.listFilesSync(dir, "*.jsonl"));
}

/** The sessions of all working directories, newest first. Reads a prefix of each file. */
export async function listAllSessions(options: ListOptions = {}): Promise<SessionInfo[]> {
  const { storage = new FileSessionStorage(), agentDir = defaultAgentDir() } = options;
  const root = join(agentDir, "sessions");
  const paths = [root, ...(storage.listFoldersSync?.(root) ?? [])].flatMap((dir) =>
    storage.listFilesSync(dir, "*.jsonl"),
  );
  return infosOf(storage, paths);
}

async function infosOf(storage: SessionStorage, paths: readonly string[]): Promise<SessionInfo[]> {
  return (await readPrefixes(storage, paths)).map(infoOf);
}

function infoOf({ path, header, entries, mtimeMs, bytes }: ListedPrefix): SessionInfo {
  const messages = entries.flatMap((entry) => (entry.type === "message" && isRawObject(entry.message) ? [entry] : []));
  const spoken = messages.filter(({ message }) => message.role === "user" || message.role === "assistant");
  const title = header.title ?? shortSummaryOf(entries);
  const modified = new Date(mtimeMs);
  const created = new Date(header.timestamp);
  return {
    ...{ path, id: header.id, cwd: typeof header.cwd === "string" ? header.cwd : "" },
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof header.parentSession === "string" ? { parentSession: header.parentSession } : {}),
    created: Number.isNaN(created.getTime()) ? modified : created,
    modified,
    bytes,
    messageCount: messages.length,
    firstMessage: firstPrompt(entries) ?? "(no messages)",
    allMessagesText: spoken
      .map(({ message }) => messageText(message))
      .filter((text) => text !== "")
      .join(" "),
  };
}

/** Of the last compaction; in Pi the name that was given last. */
function shortSummaryOf(entries: ListedPrefix["entries"]): string | undefined {
  let title: string | undefined;
  for (const entry of entries) {
    if (entry.type === "compaction") title = entry.shortSummary ?? title;
    if (entry.type === "session_info") title = entry.name;
  }
  return title;
}
