import { type ContextView, type PromptDecision, type RecalledEntry, resultPart } from "@cm/object-model";
import { countShown, placeAtEnd, push } from "./grow-log.ts";
import { shownChanges, standsInFull } from "./residency.ts";
import { type SessionState, viewOf } from "./session-state.ts";
import { erasedMark } from "./view-objects.ts";

/** The entries, forms and counts that a decision leaves behind. */
export function followDecision(state: SessionState, decision: PromptDecision): void {
  const view: ContextView = viewOf(state, "warm");
  for (const { id, by } of shownChanges(view, decision)) countShown(state, id, by);
  for (const [part, form] of Object.entries(decision.forms ?? {})) {
    state.formsChanged.push(part);
    if (form.form === "full") state.forms.delete(part);
    else state.forms.set(part, form);
  }
  state.summary = decision.summary ?? state.summary;
  for (const object of decision.recall ?? []) {
    const entry = recalledEntry(state, object);
    push(state, entry);
    if (!standsInFull(decision.forms?.[resultPart(entry.at)])) countShown(state, object, -1);
  }
  const { release: objects = [] } = decision;
  if (objects.length > 0) push(state, { kind: "released", ...placeAtEnd(state), objects });
}

/** Recorded recalls had a text, so that a missing one was erased: its place in the log stays. */
function recalledEntry(state: SessionState, object: string): RecalledEntry {
  const { text, textless } = state.objects.get(object) ?? {};
  return {
    kind: "recalled",
    ...placeAtEnd(state),
    object,
    text: text ?? erasedMark,
    ...(textless === undefined ? {} : { textless }),
  };
}
