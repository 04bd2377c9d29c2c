import type { ContextPolicy, ContextView, Prices, PromptDecision } from "@cm/object-model";
import { logLayout } from "@cm/render";
import { arrivalForms, heldParts } from "../arrival-forms.ts";
import { charsPerToken, type OpenEntry, openEntries, referencesTo } from "../part-sizes.ts";

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
  const taken = oldestOf(old, { chars: size - marks.lowTokens * charsPerToken, held: heldParts(view, begins) });
  const [first] = taken;
  if (first === undefined) return arriving;
  return { forms: { ...begins, ...referencesTo(taken) }, fold: { cut: first.at, reason: "high mark" } };
}

/** Design 7.5: arguments of the current turn are never folded. */
function isOld(view: ContextView, { step, turn, kind }: OpenEntry): boolean {
  return view.step - step >= wholeCalls && (kind !== "assistant" || turn < view.turn);
}

/** What a newer part refers to is taken only after that part, so it waits for the next time. */
function oldestOf(
  old: readonly OpenEntry[],
  { chars, held }: { readonly chars: number; readonly held: ReadonlyMap<string, readonly string[]> },
): readonly OpenEntry[] {
  const open = new Set(old.flatMap(({ parts }) => parts));
  const taken: OpenEntry[] = [];
  let left = chars;
  for (const entry of old) {
    if (left <= 0) break;
    if (entry.parts.some((part) => held.get(part)?.some((by) => open.has(by)) === true)) continue;
    taken.push(entry);
    left -= entry.saves;
  }
  return taken;
}
