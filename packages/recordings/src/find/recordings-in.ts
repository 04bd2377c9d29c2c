import { isDatabase, sessionsInDatabase } from "../opencode/database.ts";

/** Where a recording is: a file, or one session of a file that holds many. */
export interface RecordingPlace {
  readonly path: string;
  /** For `RecordingOptions.session`. */
  readonly session?: string;
  /** Of the session's messages, where the file holds many. */
  readonly bytes?: number;
}

/**
 * The recordings in a file: each session of opencode's database, else the file itself. A database that cannot be read, or
 * is another program's, is one place, too, so that reading it says what is wrong.
 */
export async function recordingsIn(path: string): Promise<readonly RecordingPlace[]> {
  if (!(await isDatabase(path))) return [{ path }];
  const sessions = await sessionsInDatabase(path).catch(() => []);
  return sessions.length === 0 ? [{ path }] : sessions.map(({ id, bytes }) => ({ path, session: id, bytes }));
}
