import { billedInput, type ContextView, type Prices } from "@cm/context-log";

/** Regret that a fold may never pass (SSOT 4.4 (6)): 2 % of what the plain log costs, and the carrying of four calls. */
const regretShare = 1.02;
const carriedCalls = 4;
/** Requests of a session in which nothing is lent: a short one would not earn it back. */
const shortRequests = 8;

export interface PromptSize {
  /** What a cache can serve of this request, and its whole length; both without the fixed head. */
  readonly kept: number;
  readonly total: number;
}

/**
 * True while this request and four more like it keep the session within what the plain log would have cost by then.
 * Both sides are known, not guessed.
 */
export function staysCheap(
  view: ContextView,
  prices: Prices,
  sizes: { readonly plainChars: number; readonly managed: PromptSize },
): boolean {
  const { ledger } = view;
  const warm = ledger.requests > 0 && view.cache === "warm";
  const managed = priceOf(prices, sizes.managed, ledger.headChars, warm);
  const plain = priceOf(prices, { kept: ledger.plainChars, total: sizes.plainChars }, ledger.headChars, warm);
  const lent = ledger.requests < shortRequests ? 0 : carriedCalls;
  const carried = (chars: number): number => lent * prices.read * (chars + ledger.headChars);
  const spent = ledger.billed + managed + carried(sizes.managed.total);
  return spent <= regretShare * (ledger.plainBilled + plain + carried(sizes.plainChars));
}

function priceOf(prices: Prices, size: PromptSize, headChars: number, warm: boolean): number {
  return billedInput(prices, { total: size.total + headChars, cached: warm ? size.kept + headChars : 0 });
}
