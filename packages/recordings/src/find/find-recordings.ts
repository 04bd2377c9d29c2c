import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { type AgentFolder, agentFolders, type FindOptions, type RecordingAgent } from "./agent-folders.ts";

/** A file that an agent keeps a session in; it has not been opened. */
export interface FoundRecording {
  /** Absolute. */
  readonly path: string;
  readonly agent: RecordingAgent;
  /** Size of the file; of opencode the one that describes the session, without its messages. */
  readonly bytes: number;
  /** When it was last written. */
  readonly mtime: Date;
}

/**
 * Finds the recorded sessions in the usual folders of Pi, oh-my-pi, Claude Code, Codex and opencode: agent by agent,
 * then in order of names. What is not there or cannot be listed has none; folders that are links are not followed,
 * except the first one. Two agents that share a folder share its files: each is found once.
 */
export async function* findRecordings(options: FindOptions = {}): AsyncGenerator<FoundRecording, void, void> {
  const seen = new Set<string>();
  for (const folder of agentFolders(options)) {
    const real = await realpath(folder.path).catch(() => undefined);
    if (real === undefined || seen.has(real)) continue;
    seen.add(real);
    yield* filesIn(folder, folder.path, folder.levels);
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
      yield { path: inside, agent: folder.agent, bytes: found.size, mtime: found.mtime };
    }
  }
}

async function entriesOf(path: string): Promise<readonly Dirent[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}
