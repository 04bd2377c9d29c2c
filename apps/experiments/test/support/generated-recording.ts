import { type GeneratedSession, generatedSession } from "../../src/generate/generated-session.ts";
import { piRecording } from "../../src/recordings/pi-recording.ts";
import type { RecordingContent } from "../../src/recordings/recording.ts";

/** A session made from a seed, as it is read from its file. */
export function generatedContent(session: GeneratedSession): RecordingContent {
  const lines = generatedSession(session).trimEnd().split("\n");
  return piRecording(
    lines.map((line, place) => ({ number: place + 1, value: JSON.parse(line) })),
    {},
  );
}
