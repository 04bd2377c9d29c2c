import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { isDatabase, sessionsInDatabase } from "../opencode/database.ts";
import { type AgentFolder, agentFolders, type FindOptions, type RecordingAgent } from "./agent-folders.ts";
import type { RecordingPlace } from "./recordings-in.ts";

/** A session that an agent keeps. Its file, an absolute path, has not been opened, except a database that holds many. */
export interface FoundRecording extends RecordingPlace {
  readonly agent: RecordingAgent;
  /**
   * Size of the file. Of a session in a database, of its messages; of an older opencode's, of the file that describes the
   * session, without its messages.
   */
  readonly bytes: number;
  /** When it was last written. */
  readonly mtime: Date;
}

/**
 * Finds the recorded sessions in the usual folders of Pi, oh-my-pi, Claude Code, Codex and opencode: agent by agent,
 * then in order of names. What is not there or cannot be listed has none; folders that are links are not followed,
 * except the first one. Two agents that share a folder share its files: each is found once. A session that opencode has
 * taken over into its database is found there alone.
 */
export async function* findRecordings(options: FindOptions = {}): AsyncGenerator<FoundRecording, void, void> {
  const seen = new Set<string>();
  const inDatabases = new Set<string>();
  for (const folder of agentFolders(options)) {
    const real = await realpath(folder.path).catch(() => undefined);
    if (real === undefined || seen.has(real)) continue;
    seen.add(real);
    for await (const found of filesIn(folder, folder.path, folder.levels)) {
      const isDocument = folder.agent === "opencode" && found.path.endsWith(".json");
      if (isDocument && inDatabases.has(basename(found.path, ".json"))) continue;
      if (found.session !== undefined) inDatabases.add(found.session);
      yield found;
    }
  }
}

async function* filesIn(folder: AgentFolder, path: string, levels: number): AsyncGenerator<FoundRecording, void, void> {
  for (const entry of await entriesOf(path)) {
    const inside = join(path, entry.name);
    if (entry.isDirectory()) {
      if (levels > 0) yield* filesIn(folder, inside, levels - 1);
    } else if (folder.isSession(entry.name)) {
      const found = await stat(inside).catch(() => undefined);
      if (!found?.isFile()) continue;
      yield* recordingsOf({ path: inside, agent: folder.agent, bytes: found.size, mtime: found.mtime });
    }
  }
}

/** A database that cannot be read is found as a file, so that reading it says what is wrong. */
async function* recordingsOf(file: FoundRecording): AsyncGenerator<FoundRecording, void, void> {
  const sessions = (await isDatabase(file.path))
    ? await sessionsInDatabase(file.path).catch(() => undefined)
    : undefined;
  if (sessions === undefined) yield file;
  else for (const { id, bytes, updated } of sessions) yield { ...file, session: id, bytes, mtime: updated };
}

async function entriesOf(path: string): Promise<readonly Dirent[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}
