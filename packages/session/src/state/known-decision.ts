import type { DocumentOf, PartForm, PoolSummary, PoolSummaryRow, PromptDecision } from "@cm/object-model";
import type { StepObjects } from "./advance.ts";
import type { SessionState } from "./session-state.ts";

/**
 * A recorded decision, as far as it can be followed. After an erased step nobody knows how many entries the log had,
 * nor which names objects had: forms that name a place behind the gap are dropped, those parts stand in full, and so is
 * a summary. What a summary says of an object that was erased is its name alone.
 */
export function knownDecision(
  state: SessionState,
  document: DocumentOf<"step">,
  objects: Pick<StepObjects, "pathOf">,
): PromptDecision {
  const { summary, ...decision } = document.decision as PromptDecision;
  const known = state.gapAt === undefined ? decision : beforeGap(decision, state.gapAt);
  if (summary === undefined || state.gapAt !== undefined) return known;
  return { ...known, summary: knownSummary(state, summary, objects) };
}

function beforeGap(decision: PromptDecision, gapAt: number): PromptDecision {
  if (decision.forms === undefined) return decision;
  const isKnown = (part: string | undefined) => part === undefined || Number.parseInt(part, 10) < gapAt;
  const forms = Object.entries(decision.forms).filter(([part, form]) => isKnown(part) && isKnown(otherPart(form)));
  return { ...decision, forms: Object.fromEntries(forms) };
}

const otherPart = (form: PartForm): string | undefined =>
  form.form === "same" ? form.as : form.form === "diff" ? form.from : undefined;

function knownSummary(state: SessionState, summary: PoolSummary, objects: Pick<StepObjects, "pathOf">): PoolSummary {
  const isErased = ({ alias, kind }: PoolSummaryRow): boolean => {
    const id = state.aliases.resolve(alias);
    const isPathGone = kind === "file" && objects.pathOf !== undefined && objects.pathOf(id) === undefined;
    return isPathGone || state.objects.get(id)?.textless === "erased";
  };
  if (!summary.rows.some(isErased)) return summary;
  const rows = summary.rows.map((row): PoolSummaryRow => {
    return isErased(row) ? { alias: row.alias, kind: row.kind, textless: "erased" } : row;
  });
  return { ...summary, rows };
}
