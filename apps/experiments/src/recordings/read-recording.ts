import { basename } from "node:path";
import { type JsonLine, jsonLines } from "@cm/journal";
import { ClaudeCodeReader } from "./claude-code-recording.ts";
import { type Detection, detectFormat } from "./detect-format.ts";
import { piRecording } from "./pi-recording.ts";
import type { Recording, RecordingContent, RecordingFormat, RecordingOptions } from "./recording.ts";
import { emptyFile, notASession, toRecordingError, withoutMessages } from "./recording-error.ts";
import { recordingId } from "./recording-id.ts";

/**
 * Reads a recorded session of Pi, oh-my-pi or Claude Code, told apart by content. Only reads.
 * @throws CmError of a `RecordingErrorCode`; its message is one sentence for the user.
 */
export async function readRecording(path: string, options: RecordingOptions = {}): Promise<Recording> {
  const file = displayName(path);
  const lines = jsonLines(path);
  try {
    const detection = await detectFormat(lines);
    const { format } = detection;
    if (format === undefined) throw detection.head.length === 0 ? emptyFile(file) : notASession(file);
    const { sessionId, skipped, warnings, ...content } = await contentOf(format, { detection, lines, options });
    if (content.events.length === 0) throw withoutMessages(file);
    return {
      format,
      id: recordingId(sessionId, basename(path)),
      ...content,
      skippedLines: skipped.count,
      warnings: [...skippedWarning(skipped), ...warnings],
    };
  } catch (error) {
    throw toRecordingError(error, file);
  } finally {
    await lines.return(undefined);
  }
}

interface Opened {
  readonly detection: Detection;
  readonly lines: AsyncIterable<JsonLine>;
  readonly options: RecordingOptions;
}

async function contentOf(format: RecordingFormat, { detection, lines, options }: Opened): Promise<RecordingContent> {
  if (format === "pi") {
    const all = [...detection.head];
    for await (const line of lines) all.push(line);
    return piRecording(all, options);
  }
  const reader = new ClaudeCodeReader();
  for (const line of detection.head) reader.add(line);
  for await (const line of lines) reader.add(line);
  return reader.recording(options);
}

function skippedWarning({ count, first }: RecordingContent["skipped"]): readonly string[] {
  if (count === 0) return [];
  const named = `${first.join(", ")}${count > first.length ? ", ..." : ""}`;
  return [count === 1 ? `1 bad line was skipped (${named}).` : `${count} bad lines were skipped (${named}).`];
}

/** The base name without control characters, which a terminal would obey. */
function displayName(path: string): string {
  return basename(path).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?") || "The given path";
}
