import { type ContextView, type Prices, servedBefore } from "@cm/context-log";
import type { ContextLogConstants } from "./constants.ts";
import type { FoldCandidate, PromptEstimate } from "./estimate.ts";

export interface Cut {
  /** The first part that is folded. */
  readonly from: FoldCandidate;
  readonly gain: number;
}

export interface CutFacts {
  readonly estimate: PromptEstimate;
  readonly prices: Prices;
  readonly settings: { readonly constants: ContextLogConstants };
}

/** Where a fold pays, the best place first. */
export type Cuts = (view: ContextView, facts: CutFacts) => readonly Cut[];

/**
 * Rent or buy: expired text costs rent at each request, a cut costs the rewrite of the retained text behind it. These are
 * the places where the rent exceeds that price, those where it does the most first: the guard may refuse the best ones.
 */
export const payingCuts = (view: ContextView, facts: CutFacts): readonly Cut[] =>
  Array.from(possibleCuts(view, facts))
    .filter(({ gain }) => gain >= 0)
    .sort((a, b) => b.gain - a.gain)
    .slice(0, facts.settings.constants.cutsTried);

/**
 * A cut before each expired part that is long enough, the newest first. Rent follows from the clocks: a part has paid
 * since the step at which it expired.
 */
export function* possibleCuts(
  view: ContextView,
  { estimate, prices, settings: { constants } }: CutFacts,
): Generator<Cut> {
  const { read, write } = constants.cutPrices;
  const served = servedBefore(view, prices);
  const credit = creditOf(view, constants);
  let paid = 0;
  let saved = 0;
  for (const from of estimate.expired(constants.cutCharsMin)) {
    const { part, chars } = from;
    paid += read * (chars - part.folded) * (view.step - from.expiredAt + 1 + credit);
    saved += chars - part.folded;
    // Where the provider caches only at marks, all behind the mark before the cut is written anew.
    const kept = Math.min(from.before, served?.(part.at) ?? from.before);
    const behind = estimate.sentChars - kept - saved;
    const price = (write - read) * behind + constants.cutChars;
    yield { from, gain: paid - constants.priceShare * price };
  }
}

/**
 * While a session has saved next to nothing, the guard lets it pay for small cuts alone. So these come earlier, each as if
 * it had paid rent for some calls more: what they save pays for the large ones.
 */
const creditOf = (view: ContextView, constants: ContextLogConstants): number =>
  hasSavedLittle(view, constants) ? constants.creditCalls : 0;

export const hasSavedLittle = ({ ledger }: ContextView, { creditShare }: ContextLogConstants): boolean =>
  ledger.billed >= creditShare * ledger.plainBilled;
