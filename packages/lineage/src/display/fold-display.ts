import { type Event, EventType } from "@ag-ui/core";

/** An AG-UI event. */
export type DisplayEvent = Event;

/** The name of the custom event that tells what a run used so far. */
export const usageSnapshot = "usage_snapshot";

/** What has no meaning once the run is over, or once reasoning is one chunk. */
const lifecycle: ReadonlySet<string> = new Set([
  EventType.REASONING_START,
  EventType.REASONING_END,
  EventType.RUN_STARTED,
  EventType.RUN_FINISHED,
  EventType.RUN_ERROR,
  EventType.STEP_STARTED,
  EventType.STEP_FINISHED,
]);

type EventOf<Type extends EventType> = Extract<Event, { type: Type }>;
type Chunk = EventOf<EventType.TEXT_MESSAGE_CHUNK | EventType.TOOL_CALL_CHUNK | EventType.REASONING_MESSAGE_CHUNK>;
type Started = EventOf<EventType.TEXT_MESSAGE_START | EventType.TOOL_CALL_START | EventType.REASONING_MESSAGE_START>;
type Later = EventOf<
  | EventType.TEXT_MESSAGE_CONTENT
  | EventType.TEXT_MESSAGE_END
  | EventType.TOOL_CALL_ARGS
  | EventType.TOOL_CALL_END
  | EventType.REASONING_MESSAGE_CONTENT
  | EventType.REASONING_MESSAGE_END
>;

/**
 * The events of a run as callers keep them: each text, tool call and reasoning is one chunk, at the place where it ended
 * or, where it never did, behind all others; results, custom and other events stay; the lifecycle of the run is dropped;
 * of snapshots of the usage only the last stays, at the very end. Folding a second time changes nothing.
 */
export function foldDisplay(events: Iterable<Event>): readonly Event[] {
  const folded: Event[] = [];
  const open = new Map<string, Chunk>();
  let usage: Event | undefined;
  const close = (key: string) => {
    const chunk = open.get(key);
    if (chunk === undefined) return;
    open.delete(key);
    add(chunk, folded);
  };
  for (const event of events) {
    if (lifecycle.has(event.type)) continue;
    if (event.type === EventType.CUSTOM && event.name === usageSnapshot) {
      usage = event;
      continue;
    }
    const part = partOf(event);
    if (part === undefined) folded.push(event);
    else if (part.ends) close(part.key);
    else if (part.begins !== undefined) {
      // A second start under the same id is another message.
      close(part.key);
      open.set(part.key, part.begins);
    } else if (part.chunk !== undefined) takeChunk(part.chunk, part.key, { open, folded });
    else open.set(part.key, withDelta(open.get(part.key) ?? part.orphan, part.delta));
  }
  for (const key of [...open.keys()]) close(key);
  return usage === undefined ? folded : [...folded, usage];
}

/** A chunk goes on with what is open, or with the chunk just before it; otherwise it is one of its own. */
function takeChunk(
  chunk: Chunk,
  key: string,
  { open, folded }: { readonly open: Map<string, Chunk>; readonly folded: Event[] },
): void {
  const before = open.get(key);
  if (before === undefined) add(chunk, folded);
  else open.set(key, withDelta(before, chunk.delta ?? ""));
}

/** A chunk that names no message goes on with the one before it, as its protocol says. */
function add(chunk: Chunk, folded: Event[]): void {
  const last = folded.at(-1);
  const goesOn =
    last !== undefined &&
    isChunk(last) &&
    last.type === chunk.type &&
    (idOf(chunk) === undefined || idOf(last) === idOf(chunk));
  if (goesOn) folded[folded.length - 1] = withDelta(last, chunk.delta ?? "");
  else folded.push(chunk);
}

interface Part {
  readonly key: string;
  readonly ends?: true;
  readonly begins?: Chunk;
  readonly chunk?: Chunk;
  /** Text to be added, and the chunk that takes it where no start came before. */
  readonly delta: string;
  readonly orphan: Chunk;
}

/** What an event adds to a stream; undefined for one that is whole by itself. */
function partOf(event: Event): Part | undefined {
  switch (event.type) {
    case EventType.TEXT_MESSAGE_START:
    case EventType.REASONING_MESSAGE_START:
    case EventType.TOOL_CALL_START: {
      const begins = startedChunk(event);
      return { key: keyOf(begins), begins, delta: "", orphan: begins };
    }
    case EventType.TEXT_MESSAGE_CONTENT:
    case EventType.REASONING_MESSAGE_CONTENT:
    case EventType.TOOL_CALL_ARGS: {
      const orphan = orphanChunk(event);
      return { key: keyOf(orphan), delta: event.delta, orphan };
    }
    case EventType.TEXT_MESSAGE_END:
    case EventType.REASONING_MESSAGE_END:
    case EventType.TOOL_CALL_END: {
      const orphan = orphanChunk(event);
      return { key: keyOf(orphan), ends: true, delta: "", orphan };
    }
    default:
      return isChunk(event) ? { key: keyOf(event), chunk: event, delta: "", orphan: event } : undefined;
  }
}

function startedChunk(event: Started): Chunk {
  switch (event.type) {
    case EventType.TEXT_MESSAGE_START:
      return { ...event, type: EventType.TEXT_MESSAGE_CHUNK, delta: "" };
    case EventType.REASONING_MESSAGE_START: {
      const { role: _role, ...fields } = event;
      return { ...fields, type: EventType.REASONING_MESSAGE_CHUNK, delta: "" };
    }
    case EventType.TOOL_CALL_START:
      return { ...event, type: EventType.TOOL_CALL_CHUNK, delta: "" };
  }
}

/** For a part whose start was never seen. */
function orphanChunk(event: Later): Chunk {
  if ("toolCallId" in event) return { type: EventType.TOOL_CALL_CHUNK, toolCallId: event.toolCallId, delta: "" };
  const { messageId } = event;
  const isText = event.type === EventType.TEXT_MESSAGE_CONTENT || event.type === EventType.TEXT_MESSAGE_END;
  return { type: isText ? EventType.TEXT_MESSAGE_CHUNK : EventType.REASONING_MESSAGE_CHUNK, messageId, delta: "" };
}

const isChunk = (event: Event): event is Chunk =>
  event.type === EventType.TEXT_MESSAGE_CHUNK ||
  event.type === EventType.TOOL_CALL_CHUNK ||
  event.type === EventType.REASONING_MESSAGE_CHUNK;

const idOf = (chunk: Chunk): string | undefined =>
  chunk.type === EventType.TOOL_CALL_CHUNK ? chunk.toolCallId : chunk.messageId;

const keyOf = (chunk: Chunk): string => `${chunk.type} ${idOf(chunk) ?? ""}`;

const withDelta = <C extends Chunk>(chunk: C, delta: string): C => ({
  ...chunk,
  delta: `${chunk.delta ?? ""}${delta}`,
});
