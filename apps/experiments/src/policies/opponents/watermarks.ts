import { type ContextPolicy, type ContextView, type Prices, type PromptDecision, resultPart } from "@cm/object-model";
import { logLayout } from "@cm/render";
import { arrivalForms, heldParts } from "../arrival-forms.ts";
import { charsPerToken, type OpenResult, openResults, referencesTo } from "../part-sizes.ts";

export interface Watermarks {
  readonly highTokens: number;
  readonly lowTokens: number;
}

/** The newest calls stay whole, as under every policy of the log. */
const wholeCalls = 2;

/**
 * Two watermarks: results are shortened on arrival as in the context log; when the prompt passes the high mark the
 * oldest ones become references until it is under the low mark. No clocks, no classes, no names, no fault service.
 */
export function watermarksPolicy(marks: Watermarks): ContextPolicy {
  return { contract: "policy/1", name: "watermarks", decide: (view, prices) => decide(view, prices, marks) };
}

function decide(view: ContextView, prices: Prices, marks: Watermarks): PromptDecision {
  const begins = arrivalForms(view, prices);
  const size = view.ledger.headChars + logLayout.render(view, { forms: begins }).chars;
  const arriving = Object.keys(begins).length === 0 ? {} : { forms: begins };
  if (size <= marks.highTokens * charsPerToken) return arriving;
  const old = openResults(view, logLayout, begins).filter(({ entry }) => view.step - entry.step >= wholeCalls);
  const taken = oldestOf(old, { chars: size - marks.lowTokens * charsPerToken, held: heldParts(view, begins) });
  const [first] = taken;
  if (first === undefined) return arriving;
  const forms = { ...begins, ...referencesTo(taken.map(({ entry }) => entry)) };
  return { forms, fold: { cut: first.entry.at, reason: "high mark" } };
}

/** What a newer part refers to is taken only with that part, so it waits for the next time. */
function oldestOf(
  old: readonly OpenResult[],
  { chars, held }: { readonly chars: number; readonly held: ReadonlyMap<string, readonly string[]> },
): readonly OpenResult[] {
  const open = new Set(old.map(({ entry }) => resultPart(entry.at)));
  const taken: OpenResult[] = [];
  let left = chars;
  for (const result of old) {
    if (left <= 0) break;
    const isHeld = held.get(resultPart(result.entry.at))?.some((part) => open.has(part)) === true;
    if (isHeld || result.saves <= 0) continue;
    taken.push(result);
    left -= result.saves;
  }
  return taken;
}
