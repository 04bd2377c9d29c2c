import { basename } from "node:path";
import { isSessionHeader, type JsonLine, jsonLines } from "@cm/journal";
import { isSessionId } from "@cm/object-model";
import { type RecordedEvent, type Recording, readRecording, recordingId } from "@cm/recordings";
import { piPieces } from "./pi-pieces.ts";
import type { Piece, SessionSource } from "./session-source.ts";

/**
 * Opens a session file of any agent that `@cm/recordings` reads. Files of Pi and oh-my-pi are read line by line.
 * @throws CmError of a `RecordingErrorCode`
 */
export async function openSource(path: string): Promise<SessionSource> {
  const lines = jsonLines(path);
  const first = await firstObject(lines).catch(() => undefined);
  if (first !== undefined && isSessionHeader(first.value)) {
    const session = sessionIdOf(recordingId(first.value.id, basename(path)));
    return piPieces(first.value, lines, session);
  }
  await lines.return(undefined);
  return recordingSource(await readRecording(path, { activePath: true }));
}

/** Newer versions of oh-my-pi have a line with the title before the header. */
async function firstObject(lines: AsyncGenerator<JsonLine>): Promise<JsonLine | undefined> {
  for (;;) {
    const next = await lines.next();
    if (next.done) return undefined;
    if (next.value.value !== undefined && next.value.value.type !== "title") return next.value;
  }
}

function recordingSource({ format, id, cwd, systemPrompt, events, warnings }: Recording): SessionSource {
  return {
    ...{ agent: format, session: sessionIdOf(id), cwd, systemPrompt },
    pieces: events.map(pieceOf),
    warnings: () => warnings,
  };
}

function pieceOf(recorded: RecordedEvent, place: number): Piece {
  const event = recorded.kind === "assistant" ? withPiStopReason(recorded) : recorded;
  return {
    id: String(place),
    parent: place === 0 ? null : String(place - 1),
    event,
    ...(event.at === undefined ? {} : { at: event.at }),
    said: JSON.stringify(event, (key, value) => (key === "data" ? value.length : value)),
  };
}

/** A store has one vocabulary for why an answer ended, Pi's. */
function withPiStopReason<E extends RecordedEvent>(event: E): E {
  if (event.kind !== "assistant" || event.stopReason === undefined) return event;
  const reason = { end_turn: "stop", tool_use: "toolUse", max_tokens: "length", stop_sequence: "stop" }[
    event.stopReason
  ];
  return reason === undefined ? event : { ...event, stopReason: reason };
}

const sessionIdOf = (id: string): string => (isSessionId(id) ? id : `s${id}`);
