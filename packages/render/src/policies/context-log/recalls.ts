import type { ContextView, Prices } from "@cm/object-model";
import { forgottenObjects } from "./forgotten-plan.ts";
import { staysCheap } from "./guard.ts";
import type { ContextLogIdea } from "./ideas.ts";
import { missesOf } from "./missed-text.ts";
import type { LogParts } from "./parts.ts";
import type { Ground } from "./standing.ts";

export interface Recalls {
  /** Each object that comes back, in this order, and why. */
  readonly reasons: ReadonlyMap<string, RecallReason>;
  /** What they add to the prompt. */
  readonly chars: number;
}

export type RecallReason = "agent asked for it" | "edit missed it" | "plan was forgotten";

/** Files of a forgotten plan are guesses: so much of each, and of all of them at one request. */
const planFileCharsMax = 4_000;
const planCharsMax = 10_000;

export interface RecallFacts {
  readonly log: LogParts;
  readonly ground: Ground;
  readonly prices: Prices;
  readonly without: ReadonlySet<ContextLogIdea>;
}

/**
 * What is appended at the tail (design 7.7): objects that the agent asked for, those that the newest edits missed, and
 * the other files of their plan; all but the first only as far as the guard allows.
 */
export function recallsOf(view: ContextView, facts: RecallFacts): Recalls {
  const { log, without } = facts;
  const reasons = new Map<string, RecallReason>();
  let chars = 0;
  const recall = (id: string, reason: RecallReason): number => {
    const more = charsOf(view, id);
    const isFree = reason === "agent asked for it";
    if (more === undefined || reasons.has(id) || !(isFree || isAffordable(view, facts, chars + more))) return 0;
    reasons.set(id, reason);
    chars += more;
    return more;
  };
  // Sorted, because the order of the set is that of its history.
  for (const id of [...view.sets.requested].sort()) recall(id, "agent asked for it");
  const misses = without.has("fault-service") ? [] : missesOf(view, log);
  for (const { object } of misses) if (object !== undefined) recall(object, "edit missed it");
  let left = without.has("plans") ? 0 : planCharsMax;
  for (const id of forgottenObjects(view, log, misses)) {
    if ((charsOf(view, id) ?? 0) <= Math.min(left, planFileCharsMax)) left -= recall(id, "plan was forgotten");
  }
  return { reasons, chars };
}

function isAffordable(view: ContextView, { log, ground, prices }: RecallFacts, chars: number): boolean {
  const total = ground.chars + chars;
  return staysCheap(view, prices, { plainChars: log.plainChars, managed: { kept: ground.sentChars, total } });
}

/** Undefined where the view has no text to bring back. */
function charsOf(view: ContextView, id: string): number | undefined {
  return view.objects.get(id)?.text?.length;
}
