import type { ContextPolicy, ContextView, Prices, PromptDecision } from "@cm/context-log";
import { logLayout } from "@cm/render";
import { arrivalForms, dependentParts, withDependents } from "../arrival-forms.ts";
import { charsPerToken, type OpenEntry, openEntries, partsOf, referencesTo } from "../part-sizes.ts";

export interface Watermarks {
  readonly highTokens: number;
  readonly lowTokens: number;
}

/** The newest calls stay whole, as under every policy of the log. */
const wholeCalls = 2;

/**
 * Two watermarks: results are shortened on arrival as in the context log; when the prompt passes the high mark the
 * oldest results and arguments become references until it is under the low mark. No clocks, no classes, no names, no
 * fault service.
 */
export function watermarksPolicy(marks: Watermarks): ContextPolicy {
  return { contract: "policy/1", name: "watermarks", decide: (view, prices) => decide(view, prices, marks) };
}

function decide(view: ContextView, prices: Prices, marks: Watermarks): PromptDecision {
  const begins = arrivalForms(view, prices);
  const size = view.ledger.headChars + logLayout.render(view, { forms: begins }).chars;
  const arriving = Object.keys(begins).length === 0 ? {} : { forms: begins };
  if (size <= marks.highTokens * charsPerToken) return arriving;
  const old = openEntries(view, logLayout, begins).filter((entry) => isOld(view, entry));
  const dependents = dependentParts(view, begins);
  const staying = new Set([...old.flatMap(({ parts }) => parts), ...newestParts(view)]);
  const isHeld = ({ parts }: OpenEntry): boolean =>
    parts.some((part) => dependents.get(part)?.some((by) => staying.has(by)) === true);
  const taken = oldestOf(old, { chars: size - marks.lowTokens * charsPerToken, isHeld });
  const [first] = taken;
  if (first === undefined) return arriving;
  const forms = { ...begins, ...withDependents(referencesTo(taken), dependents) };
  return { forms, fold: { cut: first.at, reason: "high mark" } };
}

/** SSOT 4.4 (5): arguments of the current turn are never folded. */
function isOld(view: ContextView, { step, turn, kind }: OpenEntry): boolean {
  return view.step - step >= wholeCalls && (kind !== "assistant" || turn < view.turn);
}

const newestParts = (view: ContextView): readonly string[] =>
  view.log.filter(({ step }) => view.step - step < wholeCalls).flatMap(partsOf);

/** A part to which a newer part refers is removed only after that one, so it waits for the next time. */
function oldestOf(
  old: readonly OpenEntry[],
  { chars, isHeld }: { readonly chars: number; readonly isHeld: (entry: OpenEntry) => boolean },
): readonly OpenEntry[] {
  const taken: OpenEntry[] = [];
  let left = chars;
  for (const entry of old) {
    if (left <= 0) break;
    if (isHeld(entry)) continue;
    taken.push(entry);
    left -= entry.saves;
  }
  return taken;
}
