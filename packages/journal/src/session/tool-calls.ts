import type { SessionEntry } from "../format/session-entry.ts";
import { isRawObject } from "../json-lines.ts";

/** A call as it stands in a message, whose arguments may be changed. */
export interface LooseToolCall {
  readonly id: string;
  arguments: unknown;
}

export function toolCallsIn(entry: SessionEntry): LooseToolCall[] {
  if (entry.type !== "message" || !isRawObject(entry.message) || !Array.isArray(entry.message.content)) return [];
  return entry.message.content.filter((part): part is LooseToolCall => isRawObject(part) && part.type === "toolCall");
}
