import type { ContextView, Prices } from "@cm/context-log";
import { servedBefore } from "../../cost/served-before.ts";
import type { FoldCandidate, PromptEstimate } from "./estimate.ts";
import type { ContextLogSettings } from "./policy.ts";

export interface Cut {
  /** The first part that is folded. */
  readonly from: FoldCandidate;
  readonly gain: number;
}

export interface CutFacts {
  readonly estimate: PromptEstimate;
  readonly prices: Prices;
  readonly settings: ContextLogSettings;
}

/**
 * Rent or buy: expired text costs rent at each request, a cut costs the rewrite of the retained text behind it. The cut is
 * where the rent paid so far exceeds that price the most; undefined where it does nowhere.
 */
export function bestCut(view: ContextView, facts: CutFacts): Cut | undefined {
  let best: Cut | undefined;
  for (const cut of possibleCuts(view, facts)) if (best === undefined || cut.gain > best.gain) best = cut;
  return best !== undefined && best.gain >= 0 ? best : undefined;
}

/**
 * A cut before each expired part that is long enough, the newest first. Rent follows from the clocks: a part has paid
 * since the step at which it expired.
 */
export function* possibleCuts(
  view: ContextView,
  { estimate, prices, settings: { constants } }: CutFacts,
): Generator<Cut> {
  const served = servedBefore(view, prices);
  let paid = 0;
  let saved = 0;
  for (const from of estimate.expired()) {
    const { part, chars } = from;
    if (chars <= constants.cutCharsMin) continue;
    paid += prices.read * (chars - part.folded) * (view.step - from.expiredAt + 1);
    saved += chars - part.folded;
    // Where the provider caches only at marks, all behind the mark before the cut is written anew.
    const kept = Math.min(from.before, served?.(part.at) ?? from.before);
    const behind = estimate.sentChars - kept - saved;
    const price = (prices.write - prices.read) * behind + constants.cutChars;
    yield { from, gain: paid - constants.priceShare * price };
  }
}
