import { readFile, stat } from "node:fs/promises";
import { limits } from "./limits.ts";
import { isDatabase, sessionInDatabase } from "./opencode/database.ts";
import { toExport, toStoredSession } from "./opencode/message.ts";
import { opencodeRecording } from "./opencode/recording.ts";
import { storedMessages } from "./opencode/storage-folder.ts";
import { parsedJson } from "./parsed-json.ts";
import type { RecordingContent, RecordingFormat, RecordingOptions } from "./recording.ts";
import { trajectoryRecording } from "./swe-agent/recording.ts";
import { toTrajectory } from "./swe-agent/trajectory.ts";

export interface Document {
  readonly format: RecordingFormat;
  readonly content: RecordingContent;
}

/** Reads a session of a database; undefined for any other file, and for a database without such a session. */
export async function readDatabase(path: string, options: RecordingOptions): Promise<Document | undefined> {
  if (!(await isDatabase(path))) return undefined;
  const read = await sessionInDatabase(path, options.session);
  return read === undefined ? undefined : { format: "opencode", content: opencodeRecording(read, options) };
}

/** Reads a session that is one JSON document; undefined for a file that is none, or too large for one. */
export async function readDocument(path: string, options: RecordingOptions): Promise<Document | undefined> {
  const { size } = await stat(path);
  if (size > limits.documentBytesMax) return undefined;
  const value = parsedJson(await readFile(path, "utf8"));
  const exported = toExport(value);
  if (exported !== undefined) return { format: "opencode", content: opencodeRecording(exported, options) };
  const session = toStoredSession(value);
  if (session !== undefined) {
    const messages = await storedMessages(path, session);
    return { format: "opencode", content: opencodeRecording({ session, messages }, options) };
  }
  const trajectory = toTrajectory(value);
  return trajectory === undefined ? undefined : { format: "swe-agent", content: trajectoryRecording(trajectory) };
}
