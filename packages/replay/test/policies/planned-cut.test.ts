// Verifies: who knows when each text dies cuts as cheaply as any plan of cuts could.
import { createRandom } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { type PlannedStretch, plannedCut } from "../../src/policies/clairvoyant/planned-cut.ts";

const prices = { rent: 0.5, price: 1, foldPrice: 20 };
const calls = 5;

/** For each call the first stretch behind its cut; undefined where it folds nothing. */
type Plan = readonly (number | undefined)[];

/** What a plan costs from a call on: rent of dead text that stands, and what each fold writes anew. */
function costOf(stretches: readonly PlannedStretch[], plan: Plan): number {
  const folded = new Set<object>();
  let cost = 0;
  for (const [call, cut] of plan.entries()) {
    if (cut !== undefined) {
      const behind = stretches.slice(cut).filter(({ arrivesAt }) => arrivesAt < call);
      for (const part of behind.flatMap(({ parts }) => parts)) if (part.deadAt <= call) folded.add(part);
      cost += prices.foldPrice + prices.price * behind.reduce((sum, stretch) => sum + charsOf(stretch, folded), 0);
    }
    for (const { deadAt, saves } of stretches
      .filter(({ arrivesAt }) => arrivesAt <= call)
      .flatMap(({ parts }) => parts.filter((part) => !folded.has(part))))
      if (deadAt <= call) cost += prices.rent * saves;
  }
  return cost;
}

const charsOf = ({ chars, parts }: PlannedStretch, folded: ReadonlySet<object>): number =>
  chars - parts.reduce((sum, part) => sum + (folded.has(part) ? part.saves : 0), 0);

/** The plan that comes of asking at each call again, with what stands then. */
function plannedFor(stretches: readonly PlannedStretch[]): Plan {
  const folded = new Set<object>();
  return Array.from({ length: calls }, (_, call) => {
    const cut = plannedCut({
      ...prices,
      stretches: stretches.map((stretch) => ({
        ...stretch,
        chars: charsOf(stretch, folded),
        parts: stretch.parts
          .filter((part) => !folded.has(part))
          .map(({ deadAt, saves }) => ({ deadAt: Math.max(deadAt, call), saves })),
      })),
      calls: Array.from({ length: calls - call }, (_, left) => call + left),
      end: calls,
    });
    if (cut === undefined) return undefined;
    for (const { arrivesAt, parts } of stretches.slice(cut))
      for (const part of parts) if (arrivesAt < call && part.deadAt <= call) folded.add(part);
    return cut;
  });
}

function* allPlans(stretches: number, length = calls): Generator<Plan> {
  if (length === 0) {
    yield [];
    return;
  }
  for (const rest of allPlans(stretches, length - 1))
    for (let cut = -1; cut < stretches; cut += 1) yield [...rest, cut < 0 ? undefined : cut];
}

function someStretches(seed: number): readonly PlannedStretch[] {
  const random = createRandom(seed);
  return [0, 0, 1, 2].map((arrivesAt) => {
    const parts = [0, 1].map(() => ({ deadAt: arrivesAt + 1 + random.below(4), saves: 20 + random.below(1_000) }));
    return { arrivesAt, chars: 50 + random.below(300) + parts.reduce((sum, { saves }) => sum + saves, 0), parts };
  });
}

describe("the planned cut", () => {
  it("costs as little as the cheapest of all plans, whatever stands in the log", () => {
    const plans = [...allPlans(4)];
    let withFolds = 0;

    for (let seed = 1; seed <= 25; seed += 1) {
      const stretches = someStretches(seed);
      const plan = plannedFor(stretches);
      const cheapest = plans.reduce((least, one) => Math.min(least, costOf(stretches, one)), Number.POSITIVE_INFINITY);
      expect(costOf(stretches, plan), `seed ${seed}: ${plan}`).toBeCloseTo(cheapest, 6);
      if (plan.some((cut) => cut !== undefined)) withFolds += 1;
    }

    expect(withFolds).toBeGreaterThan(12);
  });

  it("folds nothing where writing the rest anew costs more than carrying the dead text to the end", () => {
    const dead = { arrivesAt: -1, chars: 100, parts: [{ deadAt: 0, saves: 90 }] };
    const living = { arrivesAt: -1, chars: 10_000, parts: [] };

    const cut = plannedCut({ ...prices, stretches: [dead, living], calls: [0, 1, 2], end: 3 });

    expect(cut).toBeUndefined();
  });
});
