import type { PromptMessage } from "@cm/context-log";
import { messageContent } from "@cm/render";

const contents = new WeakMap<PromptMessage, string>();

/** The text of a message for the provider, computed once: messages that stay in the prompt are the same objects. */
export function contentOf(message: PromptMessage): string {
  const known = contents.get(message);
  if (known !== undefined) return known;
  const content = messageContent(message);
  contents.set(message, content);
  return content;
}
