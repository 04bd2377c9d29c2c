import { type DocumentOf, newestResult, type PartForm, type PromptDecision, type Recall } from "@cm/object-model";
import type { SessionState } from "./session-state.ts";

/**
 * A recorded decision, as far as it can be followed. After an erased step the number of entries that the log had is not
 * known: forms that name a place behind the gap are dropped, and those parts stand in full.
 */
export function knownDecision(
  state: Pick<SessionState, "log" | "gapAt">,
  document: DocumentOf<"step">,
): PromptDecision {
  const { recall, ...decision } = document.decision as RecordedDecision;
  const known = state.gapAt === undefined ? decision : beforeGap(decision, state.gapAt);
  return recall === undefined ? known : { ...known, recall: recall.map((one) => placed(state, one)) };
}

/** Layouts before `log/3` named the object alone. */
type RecordedDecision = Omit<PromptDecision, "recall"> & { readonly recall?: readonly (Recall | string)[] };

function placed({ log, gapAt }: Pick<SessionState, "log" | "gapAt">, recall: Recall | string): Recall {
  if (typeof recall === "string") return { object: recall, into: newestResult(log) };
  return gapAt === undefined || recall.into < gapAt ? recall : { ...recall, into: newestResult(log) };
}

function beforeGap({ omit, ...rest }: PromptDecision, gapAt: number): PromptDecision {
  // Where a range reaches over the gap, nobody knows where it ends.
  const known = omit?.filter(([, to]) => to <= gapAt) ?? [];
  const decision = { ...rest, ...(known.length === 0 ? {} : { omit: known }) };
  if (decision.forms === undefined) return decision;
  const isKnown = (part: string | undefined) => part === undefined || Number.parseInt(part, 10) < gapAt;
  const forms = Object.entries(decision.forms).filter(([part, form]) => isKnown(part) && isKnown(otherPart(form)));
  return { ...decision, forms: Object.fromEntries(forms) };
}

const otherPart = (form: PartForm): string | undefined =>
  form.form === "same" ? form.as : form.form === "diff" ? form.from : undefined;
