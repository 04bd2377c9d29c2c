import type { DocumentOf } from "@cm/object-model";
import type { Prices } from "../prices.ts";
import type { CostLedger } from "../view.ts";

/** What the ledger adds up, before prices and the head's characters are known. The characters are those of all requests. */
export interface Billing {
  /** Those that the ledger was made with; undefined before the first request. */
  readonly prices: Pick<Prices, "read" | "write"> | undefined;
  /** Requests of which the cache had something. */
  readonly warm: number;
  readonly total: number;
  readonly served: number;
  readonly plainTotal: number;
  readonly plainServed: number;
}

export const noBilling: Billing = { prices: undefined, warm: 0, total: 0, served: 0, plainTotal: 0, plainServed: 0 };

/** A log with what it cost so far. */
interface Billed {
  readonly billing: Billing;
  readonly ledger: CostLedger;
  /** Of the plain log as it stands. */
  readonly plainChars: number;
}

/** With one more request, before the ledger has it. */
export function withRequest(
  { billing, ledger, plainChars }: Billed,
  step: Pick<DocumentOf<"step">, "prompt_chars" | "kept_chars" | "served_chars" | "cache">,
  { read, write }: Prices,
): Billing {
  const isWarm = ledger.requests > 0 && step.cache !== "cold";
  return {
    prices: { read, write },
    warm: billing.warm + (isWarm ? 1 : 0),
    total: billing.total + step.prompt_chars,
    served: billing.served + (isWarm ? (step.served_chars ?? step.kept_chars) : 0),
    plainTotal: billing.plainTotal + plainChars,
    plainServed: billing.plainServed + (isWarm ? ledger.plainChars : 0),
  };
}

/** The ledger at other prices, and with another head. At the same ones it is the very same. */
export function ledgerAt(
  { billing, ledger }: { readonly billing: Billing; readonly ledger: CostLedger },
  { prices, headChars }: { readonly prices: Prices; readonly headChars: number },
): CostLedger {
  const { read, write } = billing.prices ?? prices;
  const { requests, plainChars } = ledger;
  const isSame = read === prices.read && write === prices.write && headChars === ledger.headChars;
  const cost = (total: number, served: number): number => {
    const cached = served + billing.warm * headChars;
    return prices.read * cached + prices.write * (total + requests * headChars - cached);
  };
  return {
    requests,
    billed: isSame ? ledger.billed : cost(billing.total, billing.served),
    plainBilled: isSame ? ledger.plainBilled : cost(billing.plainTotal, billing.plainServed),
    plainChars,
    headChars,
  };
}
