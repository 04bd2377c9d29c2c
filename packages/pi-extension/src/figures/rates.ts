import type { PiModel } from "../pi/pi-types.ts";
import { hasAnthropicMarks } from "../provider/mark-format.ts";
import { pricesOf, type Retention } from "../provider/prices-of.ts";

/** What a token costs with a model. */
export interface Rates {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Whether that is in dollars; else in tokens of plain input, and what is written out counts nothing. */
  readonly inMoney: boolean;
  /** Whether Pi has all of a request's new input written to the cache; undefined where the provider decides. */
  readonly writesAll: boolean | undefined;
  /** How far a provider looks back from a mark for what it has in its cache, in blocks. Undefined: without end. */
  readonly lookbackBlocks: number | undefined;
}

/** By the costs in Pi's list of models for a request of so many tokens; where it has none, relative ones. */
export function ratesOf(model: PiModel | undefined, tokens: number, retention: Retention): Rates {
  if (model === undefined) {
    return unknown;
  }
  const { read, write, lookbackBlocks } = pricesOf(model, retention);
  const writesAll = hasAnthropicMarks(model) ? true : undefined;
  const { input, output, cacheRead, cacheWrite } = tierOf(model, tokens);
  if (!(input > 0)) {
    return { ...unknown, cacheRead: read, cacheWrite: write, writesAll, lookbackBlocks };
  }
  // Pi bills an hour in Anthropic's cache as two plain tokens.
  const written = retention === "long" && writesAll === true ? 2 * input : cacheWrite;
  const perToken = (perMillion: number): number => perMillion / 1_000_000;
  return {
    ...{ input: perToken(input), output: perToken(output) },
    ...{ cacheRead: perToken(cacheRead), cacheWrite: perToken(written) },
    ...{ inMoney: true, writesAll, lookbackBlocks },
  };
}

const unknown: Rates = {
  ...{ input: 1, output: 0, cacheRead: 0.1, cacheWrite: 1, inMoney: false },
  ...{ writesAll: undefined, lookbackBlocks: undefined },
};

type Tier = Pick<PiModel["cost"], "input" | "output" | "cacheRead" | "cacheWrite">;

/** Long requests cost more with some models. */
function tierOf({ cost }: PiModel, tokens: number): Tier {
  const reached = (cost.tiers ?? []).filter(({ inputTokensAbove }) => tokens > inputTokensAbove);
  return reached.reduce<Tier & { inputTokensAbove: number }>(
    (highest, tier) => (tier.inputTokensAbove > highest.inputTokensAbove ? tier : highest),
    { ...cost, inputTokensAbove: -1 },
  );
}
