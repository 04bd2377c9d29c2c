import type { DocumentOf } from "@cm/object-model";
import { billedInput, type Prices } from "../prices.ts";
import type { CostLedger } from "../view.ts";

/** What a session cost with one more request, as the contract `CostLedger` counts, and what the plain log would have. */
export function billed(
  { ledger, plainChars }: { readonly ledger: CostLedger; readonly plainChars: number },
  step: Pick<DocumentOf<"step">, "prompt_chars" | "kept_chars" | "served_chars" | "cache">,
  prices: Prices,
): CostLedger {
  const head = ledger.headChars;
  // The plain log would have met the same cold cache.
  const isCold = ledger.requests === 0 || step.cache === "cold";
  const served = isCold ? 0 : head + (step.served_chars ?? step.kept_chars);
  const plainServed = isCold ? 0 : head + ledger.plainChars;
  return {
    ...ledger,
    requests: ledger.requests + 1,
    billed: ledger.billed + billedInput(prices, { total: step.prompt_chars + head, cached: served }),
    plainBilled: ledger.plainBilled + billedInput(prices, { total: plainChars + head, cached: plainServed }),
    plainChars,
  };
}
