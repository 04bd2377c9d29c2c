import type { ContextView, Prices } from "@cm/object-model";
import { type Ground, isDead, type Standing } from "./standing.ts";

/** Parts shorter than this never pay for a cut; they are folded along where text is rewritten anyway. */
const worthCutting = 300;
/** Below 1, because a cut that pays today saves again at each later request. */
const priceShare = 0.7;
/** What a cut costs beside the text behind it, in characters. */
const cutChars = 2_000;

export interface Cut {
  /** The first part that is folded. */
  readonly from: Standing;
  readonly gain: number;
}

/**
 * Rent or buy: dead text costs rent at each request, a cut costs the rewrite of the living text behind it. The best cut
 * is where the rent paid so far exceeds that price the most. Rent follows from the clocks: a part has paid since the
 * step at which it died.
 */
export function bestCut(view: ContextView, ground: Ground, prices: Prices): Cut | undefined {
  let paid = 0;
  let saved = 0;
  let best: Cut | undefined;
  for (let index = ground.open.length - 1; index >= 0; index -= 1) {
    const standing = ground.open[index];
    if (standing === undefined || !isDead(standing) || standing.chars <= worthCutting) continue;
    const { part, chars } = standing;
    paid += prices.read * (chars - part.folded) * (view.step - standing.deadSince + 1);
    saved += chars - part.folded;
    const behind = ground.sentChars - standing.before - saved;
    const gain = paid - priceShare * ((prices.write - prices.read) * behind + cutChars);
    if (best === undefined || gain > best.gain) best = { from: standing, gain };
  }
  return best;
}
