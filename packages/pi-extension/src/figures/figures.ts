/** What a session costs, beside what it would in a Pi without us: as of its newest answer. */
export interface Figures {
  /** Tokens of the context, the newest answer included, as Pi's footer counts them. */
  readonly contextTokens: number;
  /** The same for a Pi without us: an estimate. */
  readonly plainTokens: number;
  /** Whether the provider said how many tokens it got. */
  readonly isReported: boolean;
  readonly requests: number;
  /** What all input so far cost, in dollars where all prices are known, else in tokens of plain input. */
  readonly input: Cost;
  /** What all of it cost in dollars, answers included. Undefined where a price is not known. */
  readonly dollars: Cost | undefined;
}

export interface Cost {
  readonly ours: number;
  /** A Pi without us. */
  readonly plain: number;
}
