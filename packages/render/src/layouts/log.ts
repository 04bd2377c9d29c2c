import {
  appendedEntries,
  type ContextView,
  type PartForm,
  type PromptDecision,
  type PromptMessage,
  type Renderer,
} from "@cm/context-log";
import { logMessage } from "./log/log-message.ts";
import { logMessages } from "./log/log-messages.ts";
import { fullForm, logPlaces } from "./log/log-places.ts";
import { promptOf } from "./messages/prompt.ts";

/** Another number with each change of what a recorded decision renders. */
const layout = "log/10";

/**
 * The context log (SSOT 4.4): append-only, each part in its form. All that we say stands in results. A message depends on
 * its entry, the notes in it, the forms of its parts and the aliases of their objects alone, so everything before a cut is
 * the very same object as in the request before.
 */
export const logLayout: Renderer = {
  contract: "renderer/1",
  layout,
  residency: "rendered",
  render(view, decision) {
    const begins = new Map<string, PartForm>(Object.entries(decision.forms ?? {}));
    const kept = logMessages(view, begins);
    const told = announcedIn(view, decision, begins);
    const same = kept.commonWith(view.sent?.messages, told);
    const { messages, chars } = kept.give(told);
    return promptOf(view, layout, messages, { same, chars });
  },
};

/** The results at whose end this request tells something for the first time, by their place. */
function announcedIn(
  view: ContextView,
  decision: PromptDecision,
  begins: ReadonlyMap<string, PartForm>,
): ReadonlyMap<number, PromptMessage> {
  const appended = appendedEntries(view, decision);
  const formOf = (part: string): PartForm => begins.get(part) ?? view.forms.get(part) ?? fullForm;
  return new Map(
    [...new Set(appended.map(({ into }) => into))].flatMap((into) => {
      const entry = view.log[into];
      const notes = [...logPlaces(view).notesInto(into), ...appended.filter((note) => note.into === into)];
      const message = entry === undefined ? undefined : logMessage(view, entry, { formOf, notes });
      return message === undefined ? [] : [[into, message] as const];
    }),
  );
}
