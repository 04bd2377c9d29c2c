import type { DocumentOf } from "@cm/object-model";
import { newestResult } from "../appended-entries.ts";
import type { LogEntry } from "../log-entries.ts";
import { argsPart, basesOf, placeOfPart } from "../part-form.ts";
import type { PromptDecision, Recall } from "../view.ts";
import type { LogState } from "./log-state.ts";

/**
 * A recorded decision, as far as it can be followed. After an erased step the number of entries that the log had is not
 * known: forms that name a place behind the gap are dropped, and those parts stand in full. So do the marks of texts that
 * were erased: what a form says of the places in such a text fits the mark no more. Arguments of an answer's calls that
 * their objects have are no part of it.
 */
export function knownDecision(
  state: Pick<LogState, "log" | "gapAt" | "erasedAt">,
  document: DocumentOf<"step">,
): PromptDecision {
  const { recall, ...decision } = document.decision as RecordedDecision;
  const known = withKnownForms(decision, state);
  return recall === undefined ? known : { ...known, recall: recall.map((one) => placed(state, one)) };
}

/** Layouts before `log/3` named the object alone. */
type RecordedDecision = Omit<PromptDecision, "recall"> & { readonly recall?: readonly (Recall | string)[] };

function placed({ log, gapAt }: Pick<LogState, "log" | "gapAt">, recall: Recall | string): Recall {
  if (typeof recall === "string") return { object: recall, into: newestResult(log) };
  return gapAt === undefined || recall.into < gapAt ? recall : { ...recall, into: newestResult(log) };
}

function withKnownForms(
  { omit, ...rest }: PromptDecision,
  { log, gapAt, erasedAt }: Pick<LogState, "log" | "gapAt" | "erasedAt">,
): PromptDecision {
  // Where a range reaches over the gap, its end is unknown.
  const known = gapAt === undefined ? (omit ?? []) : (omit?.filter(([, to]) => to <= gapAt) ?? []);
  const decision = { ...rest, ...(known.length === 0 ? {} : { omit: known }) };
  if (decision.forms === undefined || (gapAt === undefined && erasedAt.size === 0)) return decision;
  const isKnown = (part: string) => {
    const at = placeOfPart(part);
    return at < (gapAt ?? Number.POSITIVE_INFINITY) && (!erasedAt.has(at) || isInObject(log[at], part));
  };
  const forms = Object.entries(decision.forms).filter(([part, form]) => [part, ...basesOf(form)].every(isKnown));
  return { ...decision, forms: Object.fromEntries(forms) };
}

/** Whether the part is the arguments of a call that has an object: these were recorded there, and not as typed. */
function isInObject(entry: LogEntry | undefined, part: string): boolean {
  if (entry?.kind !== "assistant") return false;
  return entry.calls.some(({ object }, call) => object !== undefined && argsPart(entry.at, call) === part);
}
