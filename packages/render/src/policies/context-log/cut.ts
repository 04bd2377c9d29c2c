import type { ContextView, Prices } from "@cm/context-log";
import { servedBefore } from "../../cost/served-before.ts";
import type { ContextLogSettings } from "./presets.ts";
import type { Ground, Standing } from "./standing.ts";

/** Parts shorter than this never pay for a cut; they are folded along where text is rewritten anyway. */
const worthCutting = 300;
/** Below 1, because a cut that pays today saves again at each later request. */
const priceShare = 0.6;
/** What a cut costs beside the text behind it, in characters. */
const cutChars = 2_000;
/** How often there is a cut where no price decides (the ablation `rent`), in calls. */
const fixedCalls = 11;

export interface Cut {
  /** The first part that is folded. */
  readonly from: Standing;
  readonly gain: number;
}

export interface CutFacts {
  readonly ground: Ground;
  readonly prices: Prices;
  readonly settings: ContextLogSettings;
}

/**
 * Rent or buy: dead text costs rent at each request, a cut costs the rewrite of the living text behind it. The cut is
 * where the rent paid so far exceeds that price the most; undefined where it does nowhere. Rent follows from the
 * clocks: a part has paid since the step at which it died.
 */
export function bestCut(view: ContextView, { ground, prices, settings: { without } }: CutFacts): Cut | undefined {
  if (without.has("rent") && view.step % fixedCalls !== 0) return undefined;
  const served = servedBefore(view, prices);
  let paid = 0;
  let saved = 0;
  let best: Cut | undefined;
  for (const standing of ground.dead()) {
    const { part, chars } = standing;
    if (chars <= worthCutting) continue;
    paid += prices.read * (chars - part.folded) * (view.step - standing.deadSince + 1);
    saved += chars - part.folded;
    // Where the provider caches only at marks, all behind the mark before the cut is written anew.
    const kept = Math.min(standing.before, served?.(part.at) ?? standing.before);
    const behind = ground.sentChars - kept - saved;
    const gain = paid - priceShare * ((prices.write - prices.read) * behind + cutChars);
    if (best === undefined || gain > best.gain || without.has("best-cut")) best = { from: standing, gain };
  }
  return best !== undefined && (best.gain >= 0 || without.has("rent")) ? best : undefined;
}
