import type { ContextView, LogTable, PromptMessage, Renderer, ResultEntry } from "@cm/context-log";
import { promptOf } from "./messages/prompt.ts";
import { isSpoken, verbatimMessage } from "./messages/verbatim.ts";

/**
 * The agent alone: every message verbatim, nothing of ours, and with it no escaping. What anything costs is measured
 * against this. Text that another layout recalled is not part of it.
 */
export const plainLayout: Renderer = {
  contract: "renderer/1",
  layout: "plain/1",
  residency: "rendered",
  render(view) {
    const spoken = view.index.table(spokenMessages, view);
    const messages = spoken.messages.slice();
    for (const [at, entry] of spoken.textless) messages[at] = verbatimMessage(entry, isErased(view, entry));
    return promptOf(view, "plain/1", messages);
  },
};

/** The messages of a log, made once: a long one is sent at each request. */
interface Spoken {
  readonly messages: PromptMessage[];
  /** Results without a text, by the place of their message: that it was erased may become known later. */
  readonly textless: Map<number, ResultEntry>;
}

const spokenMessages: LogTable<Spoken> = {
  name: "spoken",
  create: () => ({ messages: [], textless: new Map() }),
  update({ messages, textless }, { log }, { from, to }) {
    for (const entry of log.slice(from, to)) {
      if (!isSpoken(entry)) continue;
      if (entry.kind === "result" && entry.text === null) textless.set(messages.length, entry);
      messages.push(verbatimMessage(entry));
    }
  },
};

const isErased = ({ objects }: ContextView, { object }: ResultEntry): boolean =>
  objects.get(object)?.textless === "erased";
