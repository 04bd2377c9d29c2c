import { type AttachmentRef, chatId, sessionObjectId, type Thinking } from "@cm/object-model";
import type { AssistantEntry, LogEntry } from "../log-entries.ts";
import type { LogState } from "../state/log-state.ts";

/** One turn: a user prompt, and all answers up to the next one (SSOT 2.5). */
export interface ChatTurn {
  readonly user: readonly { readonly text: string; readonly attachments: readonly AttachmentRef[] }[];
  readonly assistant: readonly ChatAnswer[];
  readonly toolcall_refs: readonly string[];
}

export interface ChatAnswer {
  readonly text: string;
  readonly thinking: readonly Thinking[];
  readonly calls: readonly { readonly call_id: string; readonly tool: string; readonly toolcall_ref: string | null }[];
}

/**
 * The chat object in the shape of SSOT 2.5. Computed from the steps, never stored (SSOT 3.8). Of what a full window left out
 * it counts turns and names calls; its words are not in memory.
 */
export interface ChatView {
  readonly id: string;
  readonly content: string;
  readonly session_ref: string;
  readonly turns: readonly ChatTurn[];
  readonly turn_count: number;
  readonly toolcall_refs: readonly string[];
}

export function chatView({ session, log }: Pick<LogState, "session" | "log">): ChatView {
  const turns = [...Map.groupBy(log, ({ turn }) => turn).values()].map(turnOf);
  return {
    id: chatId(session),
    content: "",
    session_ref: sessionObjectId(session),
    turns,
    turn_count: turns.length,
    toolcall_refs: turns.flatMap(({ toolcall_refs }) => toolcall_refs),
  };
}

function turnOf(entries: readonly LogEntry[]): ChatTurn {
  return {
    user: entries.flatMap((entry) =>
      entry.kind === "user" ? { text: entry.text, attachments: entry.attachments } : [],
    ),
    assistant: entries.flatMap((entry) => (entry.kind === "assistant" ? answerOf(entry) : [])),
    toolcall_refs: entries.flatMap(answeredBy),
  };
}

/** The call that a result answers, also where a full window has left it out: the session made it. */
function answeredBy(entry: LogEntry): readonly string[] {
  if (entry.kind === "result") return [entry.object];
  return entry.kind === "omitted" && entry.was === "result" && entry.object !== undefined ? [entry.object] : [];
}

function answerOf({ text, thinking, calls }: AssistantEntry): ChatAnswer {
  return {
    text,
    thinking,
    calls: calls.map(({ callId, tool, object }) => ({ call_id: callId, tool, toolcall_ref: object ?? null })),
  };
}
