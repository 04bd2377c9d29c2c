import type { LogEntry, PromptMessage } from "@cm/object-model";
import { messageContent } from "@cm/render";

const contents = new WeakMap<object, string>();

/** What the provider reads of a message, made once: messages that stay in the prompt are the same objects. */
export function contentOf(message: PromptMessage): string {
  return once(message, () => messageContent(message));
}

/** What the plain log shows of an entry. */
export function plainContentOf(entry: LogEntry): string {
  // What is told on resuming is ours; the agent alone would not have it.
  if (entry.kind === "resumed") return "";
  return once(entry, () =>
    messageContent({ text: entry.text ?? "", ...(entry.kind === "assistant" ? { calls: entry.calls } : {}) }),
  );
}

function once(key: object, make: () => string): string {
  const known = contents.get(key);
  if (known !== undefined) return known;
  const content = make();
  contents.set(key, content);
  return content;
}
