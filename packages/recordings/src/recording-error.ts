import { basename } from "node:path";
import { CmError, isCmError } from "@cm/object-model";
import { limits } from "./limits.ts";

/** Why a file cannot be replayed. Messages are one sentence with the file and the next step, for the terminal. */
export type RecordingErrorCode =
  | "recording/not-found"
  | "recording/not-a-session"
  | "recording/empty" // no bytes, or a session without messages
  | "recording/line-too-long" // data: line, bytesMax
  | "recording/too-large" // a session of many files; data: filesMax, bytesMax
  | "recording/unreadable"; // a folder, no permission, a failing disk; data: reason

export function notASession(file: string): CmError<RecordingErrorCode> {
  const message = `${file} is not a session; name a session file of Pi, oh-my-pi, Claude Code or Codex (.jsonl), opencode (.json, opencode.db) or SWE-agent (.traj).`;
  return new CmError("recording/not-a-session", message, { file });
}

/** The session whose files together pass the bounds. */
export function tooLarge(path: string): CmError<RecordingErrorCode> {
  const { storedFilesMax: filesMax, documentBytesMax: bytesMax } = limits;
  const file = displayName(path);
  const message = `The session of ${file} has more than ${filesMax} files or ${bytesMax} bytes; name a smaller one.`;
  return new CmError("recording/too-large", message, { file, filesMax, bytesMax });
}

export function databaseUnreadable(path: string, cause: unknown): CmError<RecordingErrorCode> {
  const file = displayName(path);
  const message = `${file} cannot be read as a database; end opencode, check its permissions, or export the session.`;
  return new CmError("recording/unreadable", message, { file, reason: "sqlite" }, { cause });
}

/** The base name without control characters, which a terminal would obey. */
export function displayName(path: string): string {
  return basename(path).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?") || "The given path";
}

export function emptyFile(file: string): CmError<RecordingErrorCode> {
  return new CmError("recording/empty", `${file} is empty; name a session file with messages in it.`, { file });
}

export function withoutMessages(file: string): CmError<RecordingErrorCode> {
  const message = `${file} is a session without messages; name one in which the agent has answered.`;
  return new CmError("recording/empty", message, { file });
}

/** The journal's errors as errors of this package; all others unchanged. */
export function toRecordingError(error: unknown, file: string): unknown {
  if (isCmError(error, "journal/line-too-long")) return lineTooLong(error, file);
  if (isCmError(error, "journal/not-a-session")) return notASession(file);
  if (isCmError(error, "journal/unreadable")) return unreadable(error, file);
  return error;
}

function lineTooLong({ data }: CmError, file: string): CmError<RecordingErrorCode> {
  const message = `Line ${data.line} of ${file} is longer than ${data.bytesMax} bytes; name a session file, which has one entry on each line.`;
  return new CmError("recording/line-too-long", message, { ...data, file });
}

function unreadable(cause: CmError, file: string): CmError<RecordingErrorCode> {
  const reason = String(cause.data.reason);
  const data = { file, reason };
  switch (reason) {
    case "ENOENT":
    case "ENOTDIR":
      return new CmError("recording/not-found", `${file} does not exist; check the path.`, data, { cause });
    case "EISDIR":
      return new CmError("recording/unreadable", `${file} is a folder; name a session file in it.`, data, { cause });
    default: {
      const message = `${file} cannot be read (${reason}); check the path and its permissions.`;
      return new CmError("recording/unreadable", message, data, { cause });
    }
  }
}
