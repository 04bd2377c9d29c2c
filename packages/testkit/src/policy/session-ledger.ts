import { billedInput, type CostLedger, type Prices, type RenderedPrompt } from "@cm/context-log";

/** Keeps what a session costs: with its prompts, and as the plain log would. */
export class SessionLedger {
  #ledger: CostLedger;
  readonly #prices: Prices;
  #plainSentChars = 0;
  #plainChars = 0;

  constructor(prices: Prices, headChars: number) {
    this.#prices = prices;
    this.#ledger = { requests: 0, billed: 0, plainBilled: 0, plainChars: 0, headChars };
  }

  get ledger(): CostLedger {
    return this.#ledger;
  }

  /** Characters that a plain log has more from now on. */
  grow(chars: number): void {
    this.#plainChars += chars;
  }

  book(prompt: RenderedPrompt, cache: "warm" | "cold"): void {
    const { headChars, requests, billed, plainBilled } = this.#ledger;
    const isCold = requests === 0 || cache === "cold";
    const priceOf = (chars: number, kept: number): number =>
      billedInput(this.#prices, { total: chars + headChars, cached: isCold ? 0 : kept + headChars });
    this.#ledger = {
      requests: requests + 1,
      billed: billed + priceOf(prompt.chars, prompt.kept.chars),
      plainBilled: plainBilled + priceOf(this.#plainChars, this.#plainSentChars),
      plainChars: this.#plainChars,
      headChars,
    };
    this.#plainSentChars = this.#plainChars;
  }
}
