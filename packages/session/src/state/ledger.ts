import { billedInput, type CostLedger, type DocumentOf, type Prices } from "@cm/object-model";
import type { SessionState } from "./session-state.ts";

/** What a session cost with one more request, as the contract `CostLedger` counts, and what the plain log would have. */
export function billed(
  { ledger, plainChars }: Pick<SessionState, "ledger" | "plainChars">,
  { prompt_chars, kept_chars }: Pick<DocumentOf<"step">, "prompt_chars" | "kept_chars">,
  prices: Prices,
): CostLedger {
  const head = ledger.headChars;
  const cachedHead = ledger.requests === 0 ? 0 : head;
  return {
    ...ledger,
    requests: ledger.requests + 1,
    billed: ledger.billed + billedInput(prices, { total: prompt_chars + head, cached: kept_chars + cachedHead }),
    plainBilled:
      ledger.plainBilled + billedInput(prices, { total: plainChars + head, cached: ledger.plainChars + cachedHead }),
    plainChars,
  };
}
