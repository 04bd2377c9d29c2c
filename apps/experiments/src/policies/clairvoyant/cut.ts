import type { Prices } from "@cm/context-log";
import type { OpenEntry } from "../part-sizes.ts";

export interface CutFacts {
  readonly prices: Prices;
  /** Unneeded entries, in order of the log. */
  readonly dead: readonly OpenEntry[];
  /** The savings until the end of folding an entry now. */
  readonly worth: (entry: OpenEntry) => number;
  /** Characters of the prompt that were sent before and stand behind an entry's start. */
  readonly sentFrom: (at: number) => number;
}

/**
 * From which entry on all that is dead is folded: where what it would cost to carry it to the end exceeds the price of
 * writing anew what lives behind it, by the most. A buyer who knows the length of the journey.
 */
export function bestCut({ prices, dead, worth, sentFrom }: CutFacts): number | undefined {
  let saved = 0;
  let worthSaved = 0;
  let best: { readonly at: number; readonly gain: number } | undefined;
  for (const entry of dead.toReversed()) {
    const { at } = entry;
    saved += entry.saves;
    worthSaved += worth(entry);
    const rewritten = Math.max(0, sentFrom(at) - saved);
    const gain = worthSaved - (prices.write - prices.read) * rewritten;
    if (best === undefined || gain > best.gain) best = { at, gain };
  }
  return best !== undefined && best.gain > 0 ? best.at : undefined;
}
