import { piRecording, type RecordingContent } from "@cm/recordings";
import { type GeneratedSession, generatedSession } from "./generated-session.ts";

/** A session made from a seed, as it is read from its file. */
export function generatedContent(session: GeneratedSession): RecordingContent {
  const lines = generatedSession(session).trimEnd().split("\n");
  return piRecording(
    lines.map((line, place) => ({ number: place + 1, value: JSON.parse(line) })),
    {},
  );
}
