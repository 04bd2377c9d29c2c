import { chatId, sessionObjectId, systemPromptId } from "@cm/object-model";
import type { LogState } from "../state/log-state.ts";

/** The session wrapper in the shape of SSOT 3.1: ids only. Computed from the steps, never stored (SSOT 3.8). */
export interface SessionView {
  readonly session_id: string;
  readonly chat_ref: string;
  readonly system_prompt_ref: string;
  readonly session_index: readonly string[];
  readonly metadata_pool: readonly string[];
  readonly active_set: readonly string[];
  readonly pinned_set: readonly string[];
}

export function sessionView({ session, sets }: Pick<LogState, "session" | "sets">): SessionView {
  const index = [...sets.index];
  // In the order in which the session met them: that of the sets is their history, and says nothing.
  const inOrder = (members: ReadonlySet<string>) => index.filter((id) => members.has(id));
  return {
    session_id: sessionObjectId(session),
    chat_ref: chatId(session),
    system_prompt_ref: systemPromptId(session),
    session_index: index,
    metadata_pool: inOrder(sets.pool),
    active_set: inOrder(sets.active),
    pinned_set: inOrder(sets.pinned),
  };
}
