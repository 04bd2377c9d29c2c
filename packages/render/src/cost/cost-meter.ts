import { billedInput, defaultPrices, type Prices, type RenderedPrompt } from "@cm/object-model";

export interface CostMeterOptions {
  readonly prices?: Prices;
  /** Characters of system prompt and tools, the same in each request; a first request pays them too. */
  readonly headChars?: number;
}

export interface CostTotals {
  readonly requests: number;
  readonly billed: number;
  readonly sent: number;
  readonly cached: number;
  /** The largest request. */
  readonly peak: number;
  /** Requests that changed something before the end of the request before. */
  readonly breaks: number;
}

/** Adds up what a sequence of prompts costs in characters, each against the one before it in the same session. */
export class CostMeter {
  readonly #prices: Prices;
  readonly #headChars: number;
  #totals: CostTotals = { requests: 0, billed: 0, sent: 0, cached: 0, peak: 0, breaks: 0 };
  #messagesBefore = 0;

  constructor(options: CostMeterOptions = {}) {
    this.#prices = options.prices ?? defaultPrices;
    this.#headChars = options.headChars ?? 0;
  }

  get totals(): CostTotals {
    return this.#totals;
  }

  /** Counts one request and returns what it is billed. `cold`: the provider's cache has nothing of it. */
  add(prompt: RenderedPrompt, cache: "warm" | "cold" = "warm"): number {
    const total = prompt.chars + this.#headChars;
    const cached = this.#totals.requests === 0 || cache === "cold" ? 0 : prompt.kept.chars + this.#headChars;
    const billed = billedInput(this.#prices, { total, cached });
    this.#totals = {
      requests: this.#totals.requests + 1,
      billed: this.#totals.billed + billed,
      sent: this.#totals.sent + total,
      cached: this.#totals.cached + cached,
      peak: Math.max(this.#totals.peak, total),
      breaks: this.#totals.breaks + (prompt.kept.messages < this.#messagesBefore ? 1 : 0),
    };
    this.#messagesBefore = prompt.messages.length;
    return billed;
  }
}
