import type { JsonLine, RawObject } from "@cm/journal";
import { limits } from "./limits.ts";
import { isRawObject } from "./raw-object.ts";
import type { RecordingFormat } from "./recording.ts";

/** Formats of one JSON object a line. */
export type LineFormat = Exclude<RecordingFormat, "opencode" | "swe-agent">;

export interface Detection {
  /** Undefined where nothing in the first lines looks like a session. */
  readonly format: LineFormat | undefined;
  /** The lines read so far; the iterator stands behind them. */
  readonly head: readonly JsonLine[];
}

/** Tells formats apart by content, never by file name, and reads no further than it must. */
export async function detectFormat(lines: AsyncIterator<JsonLine>): Promise<Detection> {
  const head: JsonLine[] = [];
  while (head.length < limits.detectionLinesMax) {
    const next = await lines.next();
    if (next.done) break;
    head.push(next.value);
    const format = next.value.value === undefined ? undefined : formatOf(next.value.value);
    if (format !== undefined) return { format, head };
  }
  return { format: undefined, head };
}

const codexTypes = new Set(["session_meta", "turn_context", "response_item", "event_msg", "compacted"]);

function formatOf(line: RawObject): LineFormat | undefined {
  const hasMessage = typeof line.message === "object" && line.message !== null;
  if (line.type === "session" && typeof line.id === "string") return "pi";
  if (line.type === "message" && hasMessage) return "pi";
  if (typeof line.type === "string" && codexTypes.has(line.type) && isRawObject(line.payload)) return "codex";
  if ((line.type === "user" || line.type === "assistant") && hasMessage) return "claude-code";
  // Hooks and bookkeeping often stand before the first message.
  return typeof line.sessionId === "string" && typeof line.uuid === "string" ? "claude-code" : undefined;
}
