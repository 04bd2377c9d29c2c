import { basename } from "node:path";
import { isSessionHeader, type JsonLine, jsonLines, type RawObject } from "@cm/journal";
import { defined, isSessionId } from "@cm/object-model";
import { type RecordedEvent, type Recording, readRecording, recordingId } from "@cm/recordings";
import { piPieces } from "./pi-pieces.ts";
import type { Piece, SessionSource } from "./session-source.ts";

/**
 * Opens a session file of any agent that `@cm/recordings` reads. Files of Pi and oh-my-pi are read line by line.
 * @throws CmError of a `RecordingErrorCode`
 */
export async function openSource(path: string, recorded?: string): Promise<SessionSource> {
  const lines = jsonLines(path);
  const { titles, first } = await firstObjects(lines).catch(() => ({ titles: [], first: undefined }));
  if (isSessionHeader(first)) {
    const session = sessionIdOf(recordingId(first.id, basename(path)));
    return { ...piPieces(first, lines, session), titles };
  }
  await lines.return(undefined);
  return recordingSource(await readRecording(path, { branches: true, ...defined({ session: recorded }) }));
}

interface FirstObjects {
  readonly titles: readonly RawObject[];
  /** Undefined where there is no other. */
  readonly first: RawObject | undefined;
}

/** Newer versions of oh-my-pi have a line with the title before the header. */
async function firstObjects(lines: AsyncGenerator<JsonLine>): Promise<FirstObjects> {
  const titles: RawObject[] = [];
  for (;;) {
    const next = await lines.next();
    if (next.done) return { titles, first: undefined };
    const { value } = next.value;
    if (value !== undefined && value.type !== "title") return { titles, first: value };
    if (value !== undefined) titles.push(value);
  }
}

function recordingSource({ format, id, cwd, systemPrompt, events, leaf, warnings }: Recording): SessionSource {
  return {
    ...{ agent: format, session: sessionIdOf(id), cwd, systemPrompt },
    pieces: [...events.map(pieceOf), ...leafPiece(leaf)],
    warnings: () => warnings,
  };
}

/** Where the session stands, if not at its last event. */
function leafPiece(leaf: number | null | undefined): readonly Piece[] {
  return leaf === undefined ? [] : [{ id: "leaf", parent: nodeId(leaf), said: `leaf ${leaf}` }];
}

const nodeId = (place: number | null): string | null => (place === null ? null : String(place));

function pieceOf(recorded: RecordedEvent, place: number): Piece {
  const { after = place === 0 ? null : place - 1 } = recorded;
  const event = recorded.kind === "assistant" ? withPiStopReason(recorded) : recorded;
  return {
    id: String(place),
    parent: nodeId(after),
    event,
    ...(event.at === undefined ? {} : { at: event.at }),
    said: JSON.stringify(event, (key, value) => (key === "data" ? value.length : value)),
  };
}

/** Pi's words for what others say. */
const stopReasons: ReadonlyMap<string, string> = new Map([
  ["end_turn", "stop"],
  ["tool_use", "toolUse"],
  ["max_tokens", "length"],
  ["stop_sequence", "stop"],
]);

/** A store has one vocabulary for why an answer ended, Pi's. */
function withPiStopReason<E extends RecordedEvent>(event: E): E {
  if (event.kind !== "assistant" || event.stopReason === undefined) return event;
  const reason = stopReasons.get(event.stopReason);
  return reason === undefined ? event : { ...event, stopReason: reason };
}

const sessionIdOf = (id: string): string => (isSessionId(id) ? id : `s${id}`);
