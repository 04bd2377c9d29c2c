import type { PromptMessage, RenderedPrompt } from "../view.ts";

type Messages = readonly PromptMessage[];

/** How many messages two prompts begin with that are the very same objects. Looks at each of them. */
export function commonStart(messages: Messages, before: Messages): number {
  let place = 0;
  while (place < before.length && before[place] === messages[place]) place += 1;
  return place;
}

/**
 * How many messages a prompt keeps of the one that was sent before it, as its renderer says: the contract makes that the
 * true common prefix, and a long prompt is not gone through again to find it. Where it does not end as the renderer says,
 * the messages are compared.
 */
export function keptMessages({ messages, kept }: Pick<RenderedPrompt, "messages" | "kept">, sent: Messages): number {
  const last = kept.messages - 1;
  if (last < 0 || last >= sent.length || messages[last]?.id !== sent[last]?.id) return commonStart(messages, sent);
  return kept.messages;
}
