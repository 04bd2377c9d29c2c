import type { ContextView } from "@cm/context-log";
import type { Cut, CutFacts, Part } from "@cm/render";
import type { Future } from "./future.ts";
import type { HeldLines } from "./held-lines.ts";

export interface KnownCutFacts extends CutFacts {
  readonly future: Future;
  readonly living: ReadonlyMap<Part, number>;
  readonly held: HeldLines;
}

/** Rent or buy with known deaths and a known end. */
export function knownCuts(view: ContextView, { estimate, prices, future, held }: KnownCutFacts): readonly Cut[] {
  const { read, write } = prices;
  const left = future.calls - view.step;
  const factor = Number(process.env.FACTOR ?? 1);
  const cuts: Cut[] = [];
  let paid = 0;
  let saved = 0;
  for (const from of estimate.expired()) {
    const { part, chars } = from;
    const saves = chars - part.folded;
    paid += read * saves * (view.step - deadSince(view, part, { future, held }) + 1);
    saved += saves;
    const price = (write - read) * Math.max(0, estimate.sentChars - from.before - saved);
    const gain = paid - factor * price;
    if (gain >= 0 && read * saved * left > price) cuts.push({ from, gain });
  }
  return cuts.sort((a, b) => b.gain - a.gain).slice(0, 1);
}

function deadSince(view: ContextView, part: Part, { future, held }: Pick<KnownCutFacts, "future" | "held">): number {
  const calls = held.linesIn(part).flatMap((line) => future.lines.get(line)?.calls.filter((call) => call < view.step) ?? []);
  return Math.max(part.step, ...calls) + 1;
}
