import type { ContextView } from "@cm/context-log";
import { type Cut, type CutFacts, possibleCuts } from "@cm/render";

/** How often there is a cut where no price decides, in calls: about as often as by rent and price over the recorded sessions. */
const fixedCalls = 11;

/** Where it gains most, or loses least, at every 11th call. */
export function fixedCallsCuts(view: ContextView, facts: CutFacts): readonly Cut[] {
  if (view.step % fixedCalls !== 0) return [];
  return [...possibleCuts(view, facts)].sort((a, b) => b.gain - a.gain).slice(0, 1);
}

/** At the oldest expired part, where that pays. */
export function oldestCuts(view: ContextView, facts: CutFacts): readonly Cut[] {
  return [...possibleCuts(view, facts)].slice(-1).filter(({ gain }) => gain >= 0);
}
