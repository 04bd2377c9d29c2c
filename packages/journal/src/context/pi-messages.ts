import { isWellFormed } from "../format/entry-schema.ts";
import type { AgentMessage, SessionContextEditEntry, SessionEntry } from "../format/session-entry.ts";
import { createCompactionSummaryMessage, messageOf } from "./context-messages.ts";

type Edits = ReadonlyMap<string, SessionContextEditEntry["replacement"]>;

/** Entry id to what replaces it: the last edit counts. */
export function editsIn(entries: readonly SessionEntry[]): Edits {
  const edits = new Map<string, SessionContextEditEntry["replacement"]>();
  for (const entry of entries) {
    if (entry.type === "context_edit" && isWellFormed(entry)) edits.set(entry.targetId, entry.replacement);
  }
  return edits;
}

/** What an entry brings into the context of Pi. */
export function messagesInPi(entry: SessionEntry, edits: Edits): readonly AgentMessage[] {
  const replacement = edits.get(entry.id);
  if (entry.type === "compaction") return isWellFormed(entry) && replacement !== null ? summaryInPi(entry) : [];
  const message = messageOf(entry);
  if (message === undefined || replacement === null) return [];
  const whole = withContent(message, entry.type);
  return [replacement === undefined || !editable.has(whole.role) ? whole : replaced(whole, replacement.content)];
}

function summaryInPi(entry: Extract<SessionEntry, { type: "compaction" }>): readonly AgentMessage[] {
  const summary = createCompactionSummaryMessage(entry);
  const { shortSummary: _ompOnly, ...message } = summary;
  return entry.systemMessage ? [entry.systemMessage, message as AgentMessage] : [message as AgentMessage];
}

const editable: ReadonlySet<string> = new Set(["user", "assistant", "toolResult", "custom"]);

/** Files of old versions have messages without content. */
function withContent(message: AgentMessage, kind: SessionEntry["type"]): AgentMessage {
  if (message.content !== undefined && message.content !== null) return message;
  if (message.role === "system") return { ...message, content: "" };
  const hasParts = kind === "custom_message" || (editable.has(message.role) && message.role !== "custom");
  return hasParts ? { ...message, content: [] } : message;
}

function replaced(message: AgentMessage, content: unknown): AgentMessage {
  const parts = message.role === "assistant" || message.role === "toolResult";
  return { ...message, content: parts && typeof content === "string" ? [{ type: "text", text: content }] : content };
}
