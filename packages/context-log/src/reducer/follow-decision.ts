import { newestResult, recalledText } from "../appended-entries.ts";
import type { RecalledEntry } from "../log-entries.ts";
import { erasedMark } from "../objects/view-objects.ts";
import { resultPart } from "../part-form.ts";
import { type MutableState, viewOf } from "../state/log-state.ts";
import { objectsShownBy, shownChanges, standsInFull } from "../state/residency.ts";
import { toldEntries } from "../told-notes.ts";
import type { ContextView, PromptDecision, Recall } from "../view.ts";
import { countShown, placeAtEnd, push } from "./grow-log.ts";
import { omit } from "./omission.ts";

/** The entries, forms and counts that a decision leaves behind. */
export function followDecision(state: MutableState, decision: PromptDecision): void {
  const view: ContextView = viewOf(state, "warm");
  for (const { id, by } of shownChanges(view, decision)) countShown(state, id, by);
  omit(state, decision.omit);
  for (const [part, form] of Object.entries(decision.forms ?? {})) {
    if (form.form === "full") state.forms.delete(part);
    else state.forms.set(part, form);
    if (form.form === "full") state.formedAt.delete(part);
    else state.formedAt.set(part, state.depth);
  }
  // What is told stands in the newest result, as the request saw it.
  const into = newestResult(state.log);
  for (const recall of decision.recall ?? []) {
    const entry = recalledEntry(state, recall);
    push(state, entry);
    if (!standsInFull(decision.forms?.[resultPart(entry.at)])) {
      for (const id of objectsShownBy(entry)) countShown(state, id, -1);
    }
  }
  for (const entry of toldEntries(decision, { ...placeAtEnd(state), into })) push(state, entry);
}

/** Recorded recalls had a text, so that a missing one was erased: its place in the log stays. */
function recalledEntry(state: MutableState, recall: Recall): RecalledEntry {
  const { contentHash, display } = state.inSight.get(recall.object) ?? {};
  state.origins.set(state.log.length, { contentHash, display, part: state.seenAt.get(recall.object) });
  return {
    kind: "recalled",
    ...placeAtEnd(state),
    ...recall,
    ...(recalledText(state, recall) ?? { text: erasedMark }),
  };
}
