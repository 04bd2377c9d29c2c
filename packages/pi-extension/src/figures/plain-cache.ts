import type { BilledTokens } from "./bill.ts";
import { figureLimits } from "./limits.ts";
import type { Rates } from "./rates.ts";

/** A request as the provider billed it, and what the same one weighs in a Pi without us. */
export interface PairedRequest {
  /** Provider and model. */
  readonly model: string;
  readonly ours: BilledTokens;
  /** Tokens of all its input without us. */
  readonly plainTokens: number;
  readonly rates: Rates;
}

/**
 * What the provider's cache holds of a Pi without us. Its prompt only grows, so all of the request before is read, but
 * where the cache was empty for us, too; each model has a cache of its own.
 */
export class PlainCache {
  readonly #served: Map<string, number>;

  constructor(served: Iterable<readonly [string, number]> = []) {
    this.#served = new Map(served);
  }

  /** Tokens of each model's newest request. */
  get served(): readonly (readonly [string, number])[] {
    return [...this.#served];
  }

  /** How the request would have been billed. */
  bill({ model, ours, plainTokens, rates }: PairedRequest): BilledTokens {
    // What other sessions have in common with the first request of this one is read, too.
    const before = this.#served.get(model) ?? ours.cacheRead;
    const cacheRead = ours.cacheRead > 0 ? Math.min(plainTokens, before) : 0;
    const added = plainTokens - cacheRead;
    const cacheWrite = added * writtenShare(ours, rates);
    this.#served.delete(model);
    this.#served.set(model, plainTokens);
    const [oldest] = this.#served.keys();
    if (this.#served.size > figureLimits.modelsMax && oldest !== undefined) this.#served.delete(oldest);
    return { input: added - cacheWrite, cacheRead, cacheWrite, output: ours.output };
  }

  /** The prompt was written anew behind its head. */
  compacted(headTokens: number): void {
    for (const [model, tokens] of this.#served) this.#served.set(model, Math.min(tokens, headTokens));
  }
}

/** Of new input, what is written to the cache. */
function writtenShare({ input, cacheRead, cacheWrite }: BilledTokens, { writesAll }: Rates): number {
  const isCached = cacheRead + cacheWrite > 0;
  if (writesAll !== undefined) return writesAll && isCached ? 1 : 0;
  return input + cacheWrite > 0 ? cacheWrite / (input + cacheWrite) : 0;
}
