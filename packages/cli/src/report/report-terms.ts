import type { TokenPrice } from "./recorded-tokens.ts";
import type { NamedPrices } from "./session-report.ts";

/** At what prices a report counts. */
export interface ReportTerms {
  /** What cached and new input count, against plain input as 1. */
  readonly prices: NamedPrices;
  /** Undefined: nothing is told in money. */
  readonly price: TokenPrice | undefined;
}
