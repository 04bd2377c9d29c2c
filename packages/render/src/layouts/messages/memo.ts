import type { LogEntry, PromptMessage } from "@cm/context-log";

/** Weak: an entry lives as long as its log, and each form that it once had would keep a copy of its text. */
const made = new WeakMap<LogEntry, Map<string, WeakRef<PromptMessage>>>();

/**
 * The message of an entry, made once for as long as it is referenced, for example by a prompt. `key` names all that
 * the message depends on besides the entry, which never changes, so a kept message equals a new one; keeping it spares
 * the text and lets later requests share the object.
 */
export function memoizedMessage(entry: LogEntry, key: string, make: () => PromptMessage): PromptMessage {
  const messages = made.get(entry) ?? new Map<string, WeakRef<PromptMessage>>();
  const known = messages.get(key)?.deref();
  if (known !== undefined) return known;
  if (messages.size === 0) made.set(entry, messages);
  for (const [other, message] of messages) if (message.deref() === undefined) messages.delete(other);
  const message = make();
  messages.set(key, new WeakRef(message));
  return message;
}
