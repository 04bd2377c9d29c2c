import { type ContextView, messageDigest, type PromptMessage, type RenderedPrompt } from "@cm/context-log";
import { messageContent } from "./content.ts";

/** Facts about messages before they are read. */
interface KnownFacts {
  /** How many of them are the very ones of the request before, and their characters. */
  readonly same?: { readonly messages: number; readonly chars: number };
  /** Characters of all messages. */
  readonly chars?: number;
}

/** Puts messages together to a prompt and says how much of the request before it keeps. */
export function promptOf(
  view: ContextView,
  layout: string,
  messages: readonly PromptMessage[],
  { same = { messages: 0, chars: 0 }, chars = messages.reduce((sum, one) => sum + one.chars, 0) }: KnownFacts = {},
): RenderedPrompt {
  return { layout, system: view.systemPrompt, messages, chars, kept: keptOf(view, messages, same) };
}

/**
 * The true common prefix with the request before: whole messages, and what the first different message has in common
 * with the old one. After a changed system prompt nothing is kept.
 */
function keptOf(
  view: ContextView,
  messages: readonly PromptMessage[],
  same: NonNullable<KnownFacts["same"]>,
): RenderedPrompt["kept"] {
  if (view.sent === undefined || view.sent.system !== view.systemPrompt) return { messages: 0, chars: 0 };
  const before = view.sent.messages;
  const common = Math.min(before.length, messages.length);
  let { chars } = same;
  for (let place = same.messages; place < common; place += 1) {
    const old = before[place];
    const now = messages[place];
    if (old === undefined || now === undefined) break;
    if (!isSame(old, now)) return { messages: place, chars: chars + commonChars(old, now) };
    chars += now.chars;
  }
  return { messages: common, chars };
}

/** An id names a message's place and form; what others made of it has the same one. */
function isSame(old: PromptMessage, now: PromptMessage): boolean {
  if (old === now) return true;
  if (old.id !== now.id || old.chars !== now.chars || old.text !== now.text) return false;
  return (old.calls === now.calls && old.thinking === now.thinking) || messageDigest(old) === messageDigest(now);
}

function commonChars(old: PromptMessage, now: PromptMessage): number {
  const a = messageContent(old);
  const b = messageContent(now);
  const end = Math.min(a.length, b.length);
  let place = 0;
  while (place < end && a.charCodeAt(place) === b.charCodeAt(place)) place += 1;
  return place;
}
