import type { CallFigures, PartLife, RunResult } from "@cm/replay";
import { partAtCut, savedAt } from "./map/lives.ts";

/** A fold, with what it cost and what it ended. Prices are in characters at the price of plain input. */
export interface CutFigures {
  /** From 0. */
  readonly call: number;
  readonly cut: number;
  /** The part it begins with. */
  readonly part: PartLife | undefined;
  readonly reason: string;
  readonly parts: number | undefined;
  readonly savedChars: number | undefined;
  /** The cost of rewriting the text behind the cut, beyond reading it from the cache. */
  readonly price: number | undefined;
  /** The price of the removed text for each later request. */
  readonly rent: number | undefined;
  /** Requests after this one. */
  readonly callsLeft: number;
  readonly cold: boolean;
}

export function cutsOf(run: RunResult): readonly CutFigures[] {
  return run.calls.flatMap((figures, at) => (figures.fold === undefined ? [] : [cutOf(run, figures, at)]));
}

function cutOf(run: RunResult, figures: CallFigures, at: number): CutFigures {
  const { call, fold, cold = false } = figures;
  const { read, write } = run.prices;
  const savedChars = fold?.savedChars ?? (run.parts === undefined ? undefined : savedAt(run.parts, call));
  const kept = rewritten(figures, run.calls[at - 1], savedChars);
  return {
    ...{ call, cut: fold?.cut ?? 0, part: partAtCut(run, fold?.cut ?? 0), reason: fold?.reason ?? "" },
    ...{ parts: fold?.parts, savedChars, cold, callsLeft: run.calls.length - 1 - at },
    price: cold ? 0 : kept === undefined ? undefined : Math.max(0, write - read) * kept,
    rent: savedChars === undefined ? undefined : read * savedChars,
  };
}

/** The part of the previous request that was neither saved nor servable by the cache. */
function rewritten(
  { cachedChars }: CallFigures,
  before: CallFigures | undefined,
  savedChars: number | undefined,
): number | undefined {
  if (before === undefined || savedChars === undefined) return undefined;
  return Math.max(0, before.sentChars - savedChars - cachedChars);
}

/** After how many requests the rent ended is as much as the price; undefined where that is unknown or never. */
export function paidBackAfter({ price, rent }: CutFigures): number | undefined {
  if (price === undefined || rent === undefined) return undefined;
  if (price === 0) return 0;
  return rent > 0 ? Math.ceil(price / rent) : undefined;
}
