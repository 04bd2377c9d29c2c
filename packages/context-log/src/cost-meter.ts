import { servedPrefix } from "./breakpoints.ts";
import { billedInput, defaultPrices, type Prices } from "./prices.ts";
import type { RenderedPrompt } from "./view.ts";

export interface CostMeterOptions {
  /** With `breakpointsMax`: only what the requests mark (`RenderedPrompt.breakpoints`) is cached and served. */
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
  #before: RenderedPrompt | undefined;

  constructor(options: CostMeterOptions = {}) {
    this.#prices = options.prices ?? defaultPrices;
    this.#headChars = options.headChars ?? 0;
  }

  get totals(): CostTotals {
    return this.#totals;
  }

  /** Counts one request and returns what it is billed. `cold`: the provider's cache has nothing of it. */
  add(prompt: RenderedPrompt, cache: "warm" | "cold" = "warm"): number {
    const before = this.#before;
    const total = prompt.chars + this.#headChars;
    const served = before === undefined || cache === "cold" ? undefined : servedPrefix(prompt, before, this.#prices);
    const cached = served === undefined ? 0 : served.chars + this.#headChars;
    const unmarked = this.#unmarkedChars(prompt);
    // What no mark covers is neither read nor written: it is plain input.
    const billed = billedInput(this.#prices, { total: total - unmarked, cached }) + unmarked;
    this.#totals = {
      requests: this.#totals.requests + 1,
      billed: this.#totals.billed + billed,
      sent: this.#totals.sent + total,
      cached: this.#totals.cached + cached,
      peak: Math.max(this.#totals.peak, total),
      breaks: this.#totals.breaks + (prompt.kept.messages < (before?.messages.length ?? 0) ? 1 : 0),
    };
    this.#before = prompt;
    return billed;
  }

  /** Characters behind the last mark, where the provider caches only at marks. */
  #unmarkedChars({ messages, breakpoints = [] }: RenderedPrompt): number {
    if (this.#prices.breakpointsMax === undefined) return 0;
    const last = breakpoints.at(-1);
    const behind = messages.slice(last ?? 0).reduce((sum, { chars }) => sum + chars, 0);
    return last === undefined ? behind + this.#headChars : behind;
  }
}
