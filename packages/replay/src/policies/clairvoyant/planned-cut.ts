/** Text of a log that may be folded, at one place of it. */
export interface PlannedPart {
  /** The first call at which it may be folded. */
  readonly deadAt: number;
  /** What its reference saves, in characters. */
  readonly saves: number;
}

/** A stretch of the log before which a cut may fall. */
export interface PlannedStretch {
  /** The first request that it stands in. */
  readonly arrivesAt: number;
  /** Characters with every part as it stands. */
  readonly chars: number;
  readonly parts: readonly PlannedPart[];
}

export interface PlanFacts {
  /** In order of the log. */
  readonly stretches: readonly PlannedStretch[];
  /** The calls at which a fold may fall, ascending, the present one first. */
  readonly calls: readonly number[];
  /** The call behind the last one. */
  readonly end: number;
  /** The rent of a character for one call, the price of writing one anew, and what each fold costs beside that. */
  readonly rent: number;
  readonly price: number;
  readonly foldPrice: number;
}

/**
 * Where to cut at the present call so that the rest of the session is billed least, as the place of the first stretch
 * behind the cut; undefined where waiting is cheaper.
 *
 * A fold at a call takes all that is dead behind its cut, so what it rewrites depends on its call and cut alone, and what
 * a part pays in rent on the first fold that reaches it. Between two folds that reach a stretch, the cheapest plan for it
 * and all behind it is therefore a problem of its own: either no fold in between reaches it, or the first one that does
 * splits the time in two. From the last stretch to the first, for each pair of times.
 */
export function plannedCut(facts: PlanFacts): number | undefined {
  const { stretches, rent, price, foldPrice } = facts;
  const times = [(facts.calls[0] ?? 0) - 1, ...facts.calls, facts.end];
  const folds = new Float64Array(times.length).fill(foldPrice);
  let behind = new Float64Array(times.length ** 2);
  const choices = new Array<Uint16Array>(stretches.length);
  for (let place = stretches.length - 1; place >= 0; place -= 1) {
    const stretch = stretches[place];
    if (stretch === undefined) continue;
    addRewritten(folds, stretch, { times, price });
    const from = times.findIndex((time) => time > stretch.arrivesAt);
    const plan = planOf({ behind, folds, rentBetween: rentsOf(stretch, times, rent), from, width: times.length });
    choices[place] = plan.choice;
    behind = plan.costs;
  }
  return presentCut(choices, times.length - 1);
}

interface StretchFacts {
  /** By two times, what the stretches behind this one cost in between if a fold reaches them at both. */
  readonly behind: Float64Array;
  /** What a fold that begins with this stretch costs, by its time. */
  readonly folds: Float64Array;
  readonly rentBetween: (from: number, to: number) => number;
  /** The first time at which a fold can reach the stretch; negative for none. */
  readonly from: number;
  readonly width: number;
}

/** The same with this stretch, and for what begins now the first fold that reaches it, by the time that ends it; 0 for none. */
function planOf({ behind, folds, rentBetween, from: reachable, width }: StretchFacts) {
  const costs = new Float64Array(width * width);
  const choice = new Uint16Array(width);
  const first = reachable < 0 ? width : reachable;
  for (let to = 1; to < width; to += 1) {
    for (let from = to - 1; from >= 0; from -= 1) {
      let best = (behind[from * width + to] ?? 0) + rentBetween(from, to);
      let chosen = 0;
      for (let at = Math.max(first, from + 1); at < to; at += 1) {
        const before = (behind[from * width + at] ?? 0) + rentBetween(from, at);
        const cost = before + (folds[at] ?? 0) + (costs[at * width + to] ?? 0);
        if (cost >= best) continue;
        best = cost;
        chosen = at;
      }
      costs[from * width + to] = best;
      if (from === 0) choice[to] = chosen;
    }
  }
  return { costs, choice };
}

/** Follows the plan to the present call: before the first fold that reaches a stretch, others may reach those behind it. */
function presentCut(choices: readonly Uint16Array[], last: number): number | undefined {
  let to = last;
  for (const [place, choice] of choices.entries()) {
    const first = choice[to] ?? 0;
    if (first === 1) return place;
    if (first > 1) to = first;
  }
  return undefined;
}

/** Adds what a fold at each time pays for writing a stretch anew, expired parts as references. */
function addRewritten(
  folds: Float64Array,
  { arrivesAt, chars, parts }: PlannedStretch,
  { times, price }: { readonly times: readonly number[]; readonly price: number },
): void {
  for (const [at, time] of times.entries()) {
    if (time <= arrivesAt) continue;
    const saved = parts.reduce((sum, { deadAt, saves }) => (deadAt <= time ? sum + saves : sum), 0);
    folds[at] = (folds[at] ?? 0) + price * (chars - saved);
  }
}

/** What the parts of a stretch that die between two times pay until the second one. */
function rentsOf({ parts }: PlannedStretch, times: readonly number[], rent: number) {
  const saves = Float64Array.from(times, (time) =>
    parts.reduce((sum, part) => (part.deadAt <= time ? sum + part.saves : sum), 0),
  );
  const since = Float64Array.from(times, (time) =>
    parts.reduce((sum, part) => (part.deadAt <= time ? sum + part.saves * part.deadAt : sum), 0),
  );
  return (from: number, to: number): number => {
    const dead = (saves[to] ?? 0) - (saves[from] ?? 0);
    return rent * (dead * (times[to] ?? 0) - ((since[to] ?? 0) - (since[from] ?? 0)));
  };
}
