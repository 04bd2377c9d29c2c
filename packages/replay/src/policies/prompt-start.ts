import type { ContextView, PromptMessage, RenderedPrompt } from "@cm/context-log";
import { messageContent } from "@cm/render";

/** Puts messages of a layout of this app together to a prompt, with the true common start of the request before. */
export function promptWith(view: ContextView, layout: string, messages: readonly PromptMessage[]): RenderedPrompt {
  const chars = messages.reduce((sum, message) => sum + message.chars, 0);
  return { layout, system: view.systemPrompt, messages, chars, kept: keptStart(view, messages) };
}

function keptStart({ sent, systemPrompt }: ContextView, messages: readonly PromptMessage[]): RenderedPrompt["kept"] {
  if (sent === undefined || sent.system !== systemPrompt) return { messages: 0, chars: 0 };
  let chars = 0;
  for (const [place, now] of messages.entries()) {
    const old = sent.messages[place];
    if (old === undefined) return { messages: place, chars };
    if (old.id !== now.id)
      return { messages: place, chars: chars + sameStart(messageContent(old), messageContent(now)) };
    chars += now.chars;
  }
  return { messages: messages.length, chars };
}

function sameStart(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let place = 0;
  while (place < end && a.charCodeAt(place) === b.charCodeAt(place)) place += 1;
  return place;
}
