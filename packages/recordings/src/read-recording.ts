import { basename } from "node:path";
import { type JsonLine, jsonLines } from "@cm/journal";
import { ClaudeCodeReader } from "./claude-code/recording.ts";
import { CodexReader } from "./codex/recording.ts";
import { type Detection, detectFormat, type LineFormat } from "./detect-format.ts";
import { piRecording } from "./pi/recording.ts";
import { type Document, readDatabase, readDocument } from "./read-document.ts";
import type { Recording, RecordingContent, RecordingOptions } from "./recording.ts";
import { displayName, emptyFile, notASession, toRecordingError, withoutMessages } from "./recording-error.ts";
import { recordingId } from "./recording-id.ts";

/**
 * Reads a recorded session of Pi, oh-my-pi, Claude Code, Codex, opencode or SWE-agent, told apart by content. Only reads.
 * @throws CmError of a `RecordingErrorCode`; its message is one sentence for the user.
 */
export async function readRecording(path: string, options: RecordingOptions = {}): Promise<Recording> {
  const file = displayName(path);
  const lines = jsonLines(path);
  try {
    const read = (await readDatabase(path, options)) ?? (await readText(path, { lines, options }));
    const { sessionId, skipped, warnings, ...content } = read.content;
    if (content.events.length === 0) throw withoutMessages(file);
    return {
      format: read.format,
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
  readonly lines: AsyncGenerator<JsonLine>;
  readonly options: RecordingOptions;
}

async function readText(path: string, { lines, options }: Opened): Promise<Document> {
  const detection = await detectFormat(lines);
  const read = await formatAndContent(path, { detection, lines, options });
  const file = displayName(path);
  if (read === undefined) throw detection.head.length === 0 ? emptyFile(file) : notASession(file);
  return read;
}

type Detected = Opened & { readonly detection: Detection };

/** Undefined where the file is no session of any format. */
async function formatAndContent(path: string, opened: Detected): Promise<Document | undefined> {
  const { format, head } = opened.detection;
  if (format !== undefined) return { format, content: await contentOf(format, opened) };
  return head.length === 0 ? undefined : readDocument(path, opened.options);
}

async function contentOf(format: LineFormat, { detection, lines, options }: Detected): Promise<RecordingContent> {
  if (format === "pi") {
    const all = [...detection.head];
    for await (const line of lines) all.push(line);
    return piRecording(all, options);
  }
  const reader = format === "codex" ? new CodexReader(options) : new ClaudeCodeReader(options);
  for (const line of detection.head) reader.add(line);
  for await (const line of lines) reader.add(line);
  return reader.recording();
}

function skippedWarning({ count, first }: RecordingContent["skipped"]): readonly string[] {
  if (count === 0) return [];
  const named = `${first.join(", ")}${count > first.length ? ", ..." : ""}`;
  return [count === 1 ? `1 bad line was skipped (${named}).` : `${count} bad lines were skipped (${named}).`];
}
