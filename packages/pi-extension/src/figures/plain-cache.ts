import type { BilledTokens } from "./bill.ts";
import { figureLimits } from "./limits.ts";
import type { Rates } from "./rates.ts";

/** A request as the provider billed it, and what the same one weighs in a Pi without us. */
export interface PairedRequest {
  /** Provider and model. */
  readonly model: string;
  readonly ours: BilledTokens;
  /** Tokens of all its input without us; of these, system prompt and tools. */
  readonly plainTokens: number;
  readonly headTokens: number;
  /** Blocks of its messages, those that were summarized since included. */
  readonly blocks: number;
  readonly rates: Rates;
  /** Our own doing may have emptied our cache: our tool came or went. */
  readonly isOurs: boolean;
}

/** A model's newest request: its tokens, and the blocks of its messages. */
export type Served = readonly [model: string, tokens: number, blocks: number];

/**
 * What the provider's cache holds of a Pi without us. Its prompt only grows, so all of the request before is read, but
 * where the cache was empty for us, too, and not by our doing; each model has a cache of its own.
 */
export class PlainCache {
  readonly #served: Map<string, Served>;
  /** Models whose provider has been seen to cache. */
  readonly #caching = new Set<string>();

  constructor(served: readonly Served[] = []) {
    this.#served = new Map(served.map((each) => [each[0], each]));
  }

  get served(): readonly Served[] {
    return [...this.#served.values()];
  }

  /** How the request would have been billed. */
  bill(request: PairedRequest): BilledTokens {
    const { model, ours, plainTokens, blocks, rates, isOurs } = request;
    const isWarm = ours.cacheRead > 0 || (isOurs && this.#caching.has(model));
    if (ours.cacheRead > 0) this.#caching.add(model);
    const before = this.#before(request);
    const cacheRead = isWarm ? Math.min(plainTokens, before) : 0;
    const added = plainTokens - cacheRead;
    const cacheWrite = added * writtenShare(ours, rates);
    this.#served.delete(model);
    this.#served.set(model, [model, plainTokens, blocks]);
    const [oldest] = this.#served.keys();
    if (this.#served.size > figureLimits.modelsMax && oldest !== undefined) this.#served.delete(oldest);
    return { input: added - cacheWrite, cacheRead, cacheWrite, output: ours.output };
  }

  /** A model has read something from its provider's cache before. */
  seen(model: string): void {
    this.#caching.add(model);
  }

  /** The prompt was written anew behind its head. */
  compacted(headTokens: number): void {
    for (const [model, tokens, blocks] of this.#served.values()) {
      this.#served.set(model, [model, Math.min(tokens, headTokens), blocks]);
    }
  }

  #before({ model, ours, headTokens, blocks, rates }: PairedRequest): number {
    const served = this.#served.get(model);
    // What other sessions have in common with the first request of this one is read, too.
    if (served === undefined) return ours.cacheRead;
    const [, tokens, known] = served;
    // The head has a mark of its own; the messages before are out of reach where too much was added at once.
    return blocks - known > (rates.lookbackBlocks ?? blocks) ? Math.min(tokens, headTokens) : tokens;
  }
}

/** Of new input, what is written to the cache. */
function writtenShare({ input, cacheRead, cacheWrite }: BilledTokens, { writesAll }: Rates): number {
  const isCached = cacheRead + cacheWrite > 0;
  if (writesAll !== undefined) return writesAll && isCached ? 1 : 0;
  return input + cacheWrite > 0 ? cacheWrite / (input + cacheWrite) : 0;
}
