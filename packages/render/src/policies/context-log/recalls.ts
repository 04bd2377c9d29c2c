import type { ContextView, Prices } from "@cm/object-model";
import { staysCheap } from "./guard.ts";
import type { ContextLogIdea } from "./ideas.ts";
import { missedObjects } from "./missed-text.ts";
import type { LogParts } from "./parts.ts";
import type { Ground } from "./standing.ts";

export interface Recalls {
  readonly objects: readonly string[];
  /** Those of them that edits missed. */
  readonly missed: readonly string[];
  /** What they add to the prompt. */
  readonly chars: number;
}

export interface RecallFacts {
  readonly log: LogParts;
  readonly ground: Ground;
  readonly prices: Prices;
  readonly without: ReadonlySet<ContextLogIdea>;
}

/**
 * What is appended at the tail (design 7.7): objects that the agent asked for, and those that the newest edits missed,
 * the latter only as far as the guard allows.
 */
export function recallsOf(view: ContextView, facts: RecallFacts): Recalls {
  // Sorted, because the order of the set is that of its history.
  const objects = [...view.sets.requested].filter((id) => charsOf(view, id) !== undefined).sort();
  let chars = objects.reduce((sum, id) => sum + (charsOf(view, id) ?? 0), 0);
  const missed = facts.without.has("fault-service") ? [] : missedObjects(view, facts.log);
  for (const id of missed) {
    const more = charsOf(view, id);
    if (more === undefined || objects.includes(id) || !isAffordable(view, facts, chars + more)) continue;
    objects.push(id);
    chars += more;
  }
  return { objects, chars, missed: objects.filter((id) => !view.sets.requested.has(id)) };
}

function isAffordable(view: ContextView, { log, ground, prices }: RecallFacts, chars: number): boolean {
  const total = ground.chars + chars;
  return staysCheap(view, prices, { plainChars: log.plainChars, managed: { kept: ground.sentChars, total } });
}

/** Undefined where the view has no text to bring back. */
function charsOf(view: ContextView, id: string): number | undefined {
  return view.objects.get(id)?.text?.length;
}
