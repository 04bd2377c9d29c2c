import type { LogEntry, PromptMessage } from "@cm/object-model";

const made = new WeakMap<LogEntry, Map<string, PromptMessage>>();

/**
 * The message of an entry, made once. `key` names all that the message depends on besides the entry, which never
 * changes, so a kept message equals a new one; keeping it spares the text and lets later requests share the object.
 */
export function onceFor(entry: LogEntry, key: string, make: () => PromptMessage): PromptMessage {
  let messages = made.get(entry);
  if (messages === undefined) {
    messages = new Map();
    made.set(entry, messages);
  }
  const known = messages.get(key);
  if (known !== undefined) return known;
  const message = make();
  messages.set(key, message);
  return message;
}
