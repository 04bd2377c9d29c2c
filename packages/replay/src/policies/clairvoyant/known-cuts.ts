import { basesOf, type ContextView } from "@cm/context-log";
import type { Cut, CutFacts, FoldCandidate, Part } from "@cm/render";
import type { Foreseen } from "./foreseen.ts";
import type { Future } from "./future.ts";
import { type PlannedPart, type PlannedStretch, plannedCut } from "./planned-cut.ts";

export interface KnownCutFacts extends CutFacts {
  readonly future: Future;
  readonly foreseen: Foreseen;
  /** Parts that stay, with the last call that needs each. */
  readonly living: ReadonlyMap<Part, number>;
  /** What the reference of a part keeps of its names, in characters. */
  readonly keptChars: (part: Part) => number;
}

/**
 * A fold costs so many characters' rewriting beside what it rewrites. Without it the plan folds a third more often, for about
 * 0.2 points less (decision 103).
 */
const foldChars = 300;

/** From call to call further ahead, a plan looks at calls that lie so much of their distance apart. */
const sparser = 0.12;

/** Parts that would save less get no place of their own in the plan. */
const stretchSavesMin = 300;

/** The one cut that the cheapest plan for the rest of the session makes now, if any. */
export function knownCuts(view: ContextView, facts: KnownCutFacts): readonly Cut[] {
  const expired = [...facts.estimate.expired()].reverse();
  if (expired.length === 0) return [];
  const { read, write } = facts.prices;
  const present = presentStretches(view, facts);
  const { end, calls } = planTimes(view.step, facts.future.calls);
  const place = plannedCut({
    ...{ calls, end, rent: read, price: write - read, foldPrice: (write - read) * foldChars },
    stretches: [...present.map(({ stretch }) => stretch), ...facts.foreseen.stretches.slice(view.step + 1)],
  });
  const before = place === undefined ? undefined : present[place]?.before;
  const from = before === undefined ? undefined : expired.find((candidate) => candidate.before >= before);
  return from === undefined ? [] : [{ from, gain: 0 }];
}

/** Each of the next calls, and then ever fewer: what lies far ahead need not be planned to the call. */
function planTimes(step: number, end: number): { readonly calls: readonly number[]; readonly end: number } {
  const calls: number[] = [];
  for (let call = step; call < end; call += Math.max(1, Math.floor(sparser * (call - step)))) calls.push(call);
  return { calls, end };
}

interface PresentStretch {
  readonly before: number;
  readonly stretch: PlannedStretch;
}

/** The log so far, cut at each part that may be folded. */
function presentStretches(view: ContextView, facts: KnownCutFacts): readonly PresentStretch[] {
  const { estimate } = facts;
  const { candidates, sentChars } = estimate;
  const deaths = deathsOf(view, facts);
  const planned = candidates.map((candidate, index) => ({
    before: candidate.before,
    part: {
      deadAt: deaths[index] ?? Number.POSITIVE_INFINITY,
      saves: Math.max(0, candidate.chars - candidate.part.folded - facts.keptChars(candidate.part)),
    },
  }));
  const starts = planned.filter(({ part }) => part.saves >= stretchSavesMin).map(({ before }) => before);
  const places = [...new Set([...starts, sentChars])].sort((a, b) => a - b);
  return places.map((before, index) => {
    const to = places[index + 1] ?? estimate.chars;
    const parts: readonly PlannedPart[] = planned
      .filter((one) => one.before >= before && one.before < to && one.part.saves > 0)
      .map(({ part }) => part);
    return {
      before,
      stretch: { arrivesAt: before < sentChars ? view.step - 1 : view.step, chars: to - before, parts },
    };
  });
}

/** When each candidate may be folded. What a living part points at dies with it. */
function deathsOf(view: ContextView, { estimate, living, foreseen }: KnownCutFacts): readonly number[] {
  const { step } = view;
  const turnEnd = foreseen.turns.find((turn) => turn > step) ?? Number.POSITIVE_INFINITY;
  const own = ({ part, expiredAt }: FoldCandidate): number => {
    const needed = (living.get(part) ?? step - 1) + 1;
    if (Number.isFinite(expiredAt)) return step;
    return Math.max(needed, part.isArgs && part.turn >= view.turn ? turnEnd : part.step + 1);
  };
  const byKey = new Map<string, number>();
  const deaths = estimate.candidates.map((candidate) => own(candidate));
  for (let index = deaths.length - 1; index >= 0; index -= 1) {
    const candidate = estimate.candidates[index];
    if (candidate === undefined) continue;
    const death = Math.max(deaths[index] ?? 0, byKey.get(candidate.part.key) ?? 0);
    deaths[index] = Number.isFinite(candidate.expiredAt) ? step : death;
    const bases = candidate.form === undefined ? [] : basesOf(candidate.form);
    for (const base of bases) byKey.set(base, Math.max(byKey.get(base) ?? 0, death));
  }
  return deaths;
}
