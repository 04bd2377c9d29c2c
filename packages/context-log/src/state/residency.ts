import { isNote } from "../appended-entries.ts";
import type { LogEntry } from "../log-entries.ts";
import { type PartForm, resultPart } from "../part-form.ts";
import type { ContextView, PromptDecision } from "../view.ts";

/** Objects that stand in full once more, or once less, in the order in which that happens. */
export interface ShownChange {
  readonly id: string;
  readonly by: 1 | -1;
}

export const standsInFull = (form: PartForm | undefined): boolean =>
  form === undefined || form.form === "full" || form.form === "sparse";

/** The objects whose text an entry shows where it stands in full. */
export function objectsShownBy(entry: LogEntry): readonly string[] {
  switch (entry.kind) {
    case "result":
      return [...new Set([entry.object, ...entry.spans.map(({ file }) => file), ...(entry.shows ?? [])])];
    case "recalled":
      return entry.input === true ? [] : [entry.object];
    default:
      return [];
  }
}

/** What a decision changes in what stands in full. Recalled entries count themselves when they enter the log. */
export function shownChanges(
  view: Pick<ContextView, "log" | "forms">,
  decision: PromptDecision,
): readonly ShownChange[] {
  return [...leaving(view, decision), ...formChanges(view, decision)];
}

function formChanges(view: Pick<ContextView, "log" | "forms">, decision: PromptDecision): readonly ShownChange[] {
  return Object.entries(decision.forms ?? {}).flatMap(([part, form]) => {
    const entry = view.log[Number(part)];
    // Parts of arguments (`12.0`) show no object.
    if (entry === undefined || resultPart(entry.at) !== part) return [];
    const before = standsInFull(view.forms.get(part));
    const after = standsInFull(form);
    if (before === after) return [];
    return objectsShownBy(entry).map((id): ShownChange => ({ id, by: after ? 1 : -1 }));
  });
}

/** What stands in full in the entries that leave the prompt, and in the notes that go with them. */
function leaving(
  { log, forms }: Pick<ContextView, "log" | "forms">,
  { omit = [] }: PromptDecision,
): readonly ShownChange[] {
  const first = omit[0]?.[0];
  if (first === undefined) return [];
  const isOmitted = (at: number): boolean => omit.some(([from, to]) => at >= from && at < to);
  return log.slice(first).flatMap((entry) => {
    const leaves = isOmitted(entry.at) || (isNote(entry) && isOmitted(entry.into));
    if (!leaves || !standsInFull(forms.get(resultPart(entry.at)))) return [];
    return objectsShownBy(entry).map((id): ShownChange => ({ id, by: -1 }));
  });
}
