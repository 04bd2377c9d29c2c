import type { PromptMessage } from "@cm/context-log";
import type { OpenEntry } from "../part-sizes.ts";
import type { Future } from "./future.ts";
import type { FutureView } from "./future-view.ts";

export interface RetentionFacts {
  readonly step: number;
  readonly future: Future;
  readonly sight: FutureView;
  /** The prompt as it would be without a fold, by entry. */
  readonly messages: ReadonlyMap<number, PromptMessage>;
  readonly open: readonly OpenEntry[];
  /** True where it is cheaper to fold the entry now and to bring it back for that call. */
  readonly isWorthFetching: (entry: OpenEntry, call: number) => boolean;
}

/**
 * The entries that must stay, so that each line a later edit replaces stands somewhere in view until that edit. Where
 * several hold a line the one stays that holds most for its length: a greedy cover, not the best one.
 */
export function retainedEntries(facts: RetentionFacts): ReadonlySet<number> {
  const holders = holdersOf(facts);
  const living = new Set<number>();
  while (holders.size > 0) {
    const best = bestOf(holders);
    if (best === undefined) break;
    living.add(best.at);
    for (const [line, entries] of holders) if (entries.includes(best)) holders.delete(line);
  }
  return living;
}

/** The open entries that hold each line to come. Lines that stand where nothing folds are safe anyway. */
function holdersOf({ step, future, sight, messages, open, isWorthFetching }: RetentionFacts) {
  const byPlace = new Map(open.map((entry) => [entry.at, entry]));
  const holders = new Map<string, OpenEntry[]>();
  const safe = new Set<string>();
  for (const [at, message] of messages) {
    const entry = byPlace.get(at);
    for (const line of sight.linesIn(message)) {
      const next = future.lines.get(line)?.find((call) => call >= step);
      if (next === undefined) continue;
      if (entry === undefined) safe.add(line);
      else if (!isWorthFetching(entry, next)) holders.set(line, [...(holders.get(line) ?? []), entry]);
      else holders.set(line, holders.get(line) ?? []);
    }
  }
  for (const [line, entries] of holders) if (safe.has(line) || entries.length === 0) holders.delete(line);
  return holders;
}

function bestOf(holders: ReadonlyMap<string, readonly OpenEntry[]>): OpenEntry | undefined {
  const covered = new Map<OpenEntry, number>();
  for (const entries of holders.values()) {
    for (const entry of entries) covered.set(entry, (covered.get(entry) ?? 0) + 1);
  }
  let best: OpenEntry | undefined;
  let worth = 0;
  for (const [entry, lines] of covered) {
    if (lines / entry.saves <= worth) continue;
    best = entry;
    worth = lines / entry.saves;
  }
  return best;
}
