import { placeOfPart } from "../part-form.ts";
import type { ContextView, PromptDecision } from "../view.ts";

/**
 * A decision that calls no file unchanged which cannot be looked at now, such as one that a link took the place of: what is
 * known is known of the file. `isUnreachable` is asked with its id.
 */
export function withoutUnseenClaims(
  view: ContextView,
  decision: PromptDecision,
  isUnreachable: (file: string) => boolean,
): PromptDecision {
  const unseen = Object.entries(decision.forms ?? {}).flatMap(([part, form]) => {
    if (form.form !== "reference" || form.file !== "unchanged") return [];
    const entry = view.log[placeOfPart(part)];
    if (entry?.kind !== "result" || !entry.spans.some(({ file }) => isUnreachable(file))) return [];
    const { file: _unchanged, ...rest } = form;
    return [[part, rest] as const];
  });
  return unseen.length === 0 ? decision : { ...decision, forms: { ...decision.forms, ...Object.fromEntries(unseen) } };
}
