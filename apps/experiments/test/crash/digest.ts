import type { LeveledObject } from "@cm/context-log";
import { sha256 } from "@cm/object-model";
import type { ChatView, SessionView } from "@cm/session";

/** What a session is after a step, in a form that two processes can compare: its sets, its chat, its objects. */
export function digestOf(
  { session_index, metadata_pool, active_set, pinned_set }: SessionView,
  chat: ChatView,
  objects: readonly LeveledObject[],
): string {
  const sets = [session_index, metadata_pool, active_set, pinned_set].map((ids) => [...ids].sort());
  const versions = objects.map(({ id, level, text }) => [id, level, text === null ? null : sha256(text)]);
  return [sets, chat, versions].map((part) => sha256(JSON.stringify(part)).slice(0, 16)).join(" ");
}
