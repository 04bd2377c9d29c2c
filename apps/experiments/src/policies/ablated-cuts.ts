import type { ContextView } from "@cm/context-log";
import { type Cut, type CutFacts, possibleCuts } from "@cm/render";

/** How often there is a cut where no price decides, in calls: about as often as by rent and price over the recorded sessions. */
const fixedCalls = 11;

/** Where it gains most, or loses least, at every 11th call. */
export function fixedCallsCut(view: ContextView, facts: CutFacts): Cut | undefined {
  if (view.step % fixedCalls !== 0) return undefined;
  let best: Cut | undefined;
  for (const cut of possibleCuts(view, facts)) if (best === undefined || cut.gain > best.gain) best = cut;
  return best;
}

/** At the oldest expired part, where that pays. */
export function oldestCut(view: ContextView, facts: CutFacts): Cut | undefined {
  const oldest = [...possibleCuts(view, facts)].at(-1);
  return oldest !== undefined && oldest.gain >= 0 ? oldest : undefined;
}
