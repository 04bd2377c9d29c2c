import { type ContextView, newestResult, type Prices, type Recall, recalledText } from "@cm/context-log";
import { defined } from "@cm/object-model";
import { forgottenObjects } from "./forgotten-plan.ts";
import { staysCheap } from "./guard.ts";
import type { ContextLogIdea } from "./ideas.ts";
import { missesOf } from "./missed-text.ts";
import type { LogParts } from "./parts.ts";
import type { Ground } from "./standing.ts";

export interface Recalls {
  /** Each object that comes back, in this order, and where. */
  readonly recalls: readonly Recall[];
  /** Why, by object. */
  readonly reasons: ReadonlyMap<string, RecallReason>;
  /** What they add to the prompt. */
  readonly chars: number;
}

export type RecallReason = "agent asked for it" | "edit missed it" | "plan was forgotten";

/** Files of a forgotten plan are guesses: so much of each, and of all of them at one request. */
const planFileCharsMax = 3_000;
const planCharsMax = 6_000;

export interface RecallFacts {
  readonly log: LogParts;
  readonly ground: Ground;
  readonly prices: Prices;
  readonly without: ReadonlySet<ContextLogIdea>;
}

/**
 * What is brought back (SSOT 4.4 (9)): objects that a harness asked for, in the newest result; those that the newest edits
 * missed, in the results of these edits, with the other files of their plan; all but the first as far as the guard allows.
 */
export function recallsOf(view: ContextView, facts: RecallFacts): Recalls {
  const { log, without } = facts;
  const reasons = new Map<string, RecallReason>();
  const recalls: Recall[] = [];
  let chars = 0;
  const recall = (wanted: Recall, reason: RecallReason): number => {
    const { object: id } = wanted;
    const more = charsOf(view, wanted);
    const isFree = reason === "agent asked for it";
    if (more === undefined || reasons.has(id) || !(isFree || isAffordable(view, facts, chars + more))) return 0;
    reasons.set(id, reason);
    recalls.push(wanted);
    chars += more;
    return more;
  };
  // Sorted, because the order of the set is that of its history.
  const into = view.sets.requested.size === 0 ? -1 : newestResult(view.log);
  if (into >= 0) for (const object of [...view.sets.requested].sort()) recall({ object, into }, "agent asked for it");
  const misses = without.has("fault-service") ? [] : missesOf(view, log);
  for (const { object, into, input } of misses) {
    if (object !== undefined) recall({ object, into, ...defined({ input }) }, "edit missed it");
  }
  let left = without.has("plans") ? 0 : planCharsMax;
  for (const forgotten of forgottenObjects(view, log, misses)) {
    const more = charsOf(view, forgotten) ?? 0;
    if (more <= Math.min(left, planFileCharsMax)) left -= recall(forgotten, "plan was forgotten");
  }
  return { recalls, reasons, chars };
}

function isAffordable(view: ContextView, { log, ground, prices }: RecallFacts, chars: number): boolean {
  const total = ground.chars + chars;
  return staysCheap(view, prices, { plainChars: log.plainChars, managed: { kept: ground.sentChars, total } });
}

/** Undefined where the view has no text to bring back. */
function charsOf(view: ContextView, recall: Recall): number | undefined {
  return recalledText(view, recall)?.text.length;
}
