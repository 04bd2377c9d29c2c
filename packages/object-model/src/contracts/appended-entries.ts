import type { RecalledEntry, ReleasedEntry } from "./log-entries.ts";
import type { ContextView, PromptDecision } from "./view.ts";

/**
 * The entries that a decision appends to the log, as they stand in this request and in every later one: what it brings
 * back, then the notice of pins that it releases.
 */
export function appendedEntries(
  view: ContextView,
  decision: PromptDecision,
): readonly (RecalledEntry | ReleasedEntry)[] {
  const recalled = recalledEntries(view, decision);
  const { release: objects = [] } = decision;
  if (objects.length === 0) return recalled;
  const at = view.log.length + recalled.length;
  return [...recalled, { kind: "released", at, step: view.step, turn: view.turn, objects }];
}

/** Each recalled object with the text it has in the view. Objects without text are passed over. */
export function recalledEntries(view: ContextView, decision: PromptDecision): readonly RecalledEntry[] {
  const texts = (decision.recall ?? []).flatMap((object) => {
    const { text = null, textless } = view.objects.get(object) ?? {};
    return text === null ? [] : [{ object, text, ...(textless === undefined ? {} : { textless }) }];
  });
  return texts.map((recalled, place) => ({
    kind: "recalled",
    at: view.log.length + place,
    step: view.step,
    turn: view.turn,
    ...recalled,
  }));
}
