import { basesOf, type ContextView, type Prices } from "@cm/context-log";
import type { LogParts, Part } from "@cm/render";
import { carriedCallsMax } from "./carried-calls.ts";
import { type Carrying, type Future, isCarried, lastNeed, nextNeed } from "./future.ts";
import type { HeldLines } from "./held-lines.ts";

export interface NeedFacts {
  readonly view: ContextView;
  readonly log: LogParts;
  readonly future: Future;
  readonly held: HeldLines;
  /** Lines that stand in references. */
  readonly referenced: ReadonlySet<string>;
  readonly prices: Prices;
  /** Arguments of the current turn that no policy of ours folds (SSOT 4.4 (5)). */
  readonly isBound: (part: Part) => boolean;
}

/**
 * The open parts that must stay at a request, each with the last call that it serves: every line that a later edit replaces
 * stands in one of them until that edit, unless a later text shows it again in time, or bringing it back for that call
 * is cheaper than carrying it. Where several hold a line the one stays that holds most for its length: a greedy cover,
 * not the best one.
 */
export function livingParts(facts: NeedFacts): ReadonlyMap<Part, number> {
  const holders = openHolders(facts);
  const living = new Map<Part, number>();
  while (holders.size > 0) {
    const best = bestOf(facts, holders);
    if (best === undefined) break;
    let until = facts.view.step;
    for (const [line, parts] of holders) {
      if (!parts.includes(best)) continue;
      holders.delete(line);
      const known = facts.future.lines.get(line);
      const last = known === undefined ? undefined : lastNeed(known, facts.view.step, carryingOf(facts, best));
      until = Math.max(until, last ?? until);
    }
    living.set(best, until);
  }
  return living;
}

/** The parts that could hold each line to come. What stands where nothing folds needs none. */
function openHolders(facts: NeedFacts): Map<string, readonly Part[]> {
  const { view, future, held } = facts;
  const found = new Map<string, readonly Part[]>();
  for (const [line, known] of future.lines) {
    const next = nextNeed(known, view.step);
    if (next === undefined || facts.referenced.has(line)) continue;
    const holders = held.holdersOf(line).filter((part) => showsItsText(view, part));
    if (holders.some((part) => part.key === "" || !part.foldable || facts.isBound(part))) continue;
    const worth = holders.filter((part) => isCarried(view.step, next, carryingOf(facts, part)));
    if (worth.length > 0) found.set(line, worth);
  }
  return found;
}

/** False once a part is folded, or has lost the text that it replaced. */
export function showsItsText({ forms }: ContextView, { key }: Part): boolean {
  const form = forms.get(key)?.form;
  return form !== "reference" && form !== "replaced" && form !== "spans";
}

/** Arguments are carried always. */
function carryingOf({ prices, future }: NeedFacts, { isArgs, object, chars, folded }: Part): Carrying {
  const isFetched = !isArgs && object !== undefined;
  const callsMax = isFetched ? carriedCallsMax(prices, { chars, saves: chars - folded }) : Number.POSITIVE_INFINITY;
  return { callsMax, fetchAt: future.fetchAt };
}

function bestOf(facts: NeedFacts, holders: ReadonlyMap<string, readonly Part[]>): Part | undefined {
  const covered = new Map<Part, number>();
  for (const parts of holders.values()) for (const part of parts) covered.set(part, (covered.get(part) ?? 0) + 1);
  let best: Part | undefined;
  let worth = 0;
  for (const [part, lines] of covered) {
    const ratio = lines / carriedChars(facts, part);
    if (ratio <= worth) continue;
    best = part;
    worth = ratio;
  }
  return best;
}

/** With what it points at, which stays as long as it does. */
function carriedChars({ view, log }: NeedFacts, part: Part): number {
  const form = view.forms.get(part.key);
  const bases = new Set(form === undefined ? [] : basesOf(form));
  const pointedAt = bases.size === 0 ? [] : log.formable.filter(({ key }) => bases.has(key));
  return pointedAt.reduce((chars, base) => chars + base.chars, part.chars - part.folded);
}
