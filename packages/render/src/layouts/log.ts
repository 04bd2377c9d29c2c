import { appendedEntries, type PartForm, type Renderer } from "@cm/object-model";
import { logMessage } from "../log-messages/log-message.ts";
import { logMessages } from "../log-messages/log-messages.ts";
import { fullForm } from "../log-messages/part-forms.ts";
import { summaryMessage } from "../log-messages/summary.ts";
import { promptOf } from "../messages/prompt.ts";

/**
 * The context log (design 7): append-only, each part in its form, and since the last time that everything was rewritten
 * a summary of the pool on top. A message depends on its entry, the forms of its
 * parts and the aliases of their objects alone, so everything before a cut is the very same object as in the request
 * before.
 */
export const logLayout: Renderer = {
  contract: "renderer/1",
  layout: "log/2",
  residency: "rendered",
  render(view, decision) {
    const begins = new Map<string, PartForm>(Object.entries(decision.forms ?? {}));
    const top = summaryMessage(decision.summary ?? view.summary);
    const kept = logMessages(view, begins);
    const same = kept.commonWith(view.sent?.messages, top);
    const messages = kept.give(top);
    const counted = { messages: messages.length, chars: kept.chars + (top?.chars ?? 0) };
    const formOf = (part: string): PartForm => begins.get(part) ?? fullForm;
    for (const entry of appendedEntries(view, decision)) messages.push(logMessage(view, entry, formOf));
    return promptOf(view, "log/2", messages, { same, counted });
  },
};
