import { billedInput, type ContextView, type Prices } from "@cm/context-log";
import type { ContextLogConstants } from "./constants.ts";

export interface PromptSize {
  /** What a cache can serve of this request, and its whole length; both without the fixed head. */
  readonly kept: number;
  readonly total: number;
}

export interface GuardFacts {
  readonly prices: Prices;
  readonly constants: ContextLogConstants;
}

/**
 * True while this request and four more like it keep the session within what the plain log would have cost by then.
 * Both sides are known, not guessed.
 */
export function staysCheap(
  view: ContextView,
  { prices, constants }: GuardFacts,
  sizes: { readonly plainChars: number; readonly managed: PromptSize },
): boolean {
  const { ledger } = view;
  const warm = ledger.requests > 0 && view.cache === "warm";
  const managed = priceOf(prices, sizes.managed, ledger.headChars, warm);
  const plain = priceOf(prices, { kept: ledger.plainChars, total: sizes.plainChars }, ledger.headChars, warm);
  const lent = ledger.requests < constants.shortRequests ? 0 : constants.carriedCalls;
  const carried = (chars: number): number => lent * prices.read * (chars + ledger.headChars);
  const spent = ledger.billed + managed + carried(sizes.managed.total);
  return spent <= constants.regretShare * (ledger.plainBilled + plain + carried(sizes.plainChars));
}

function priceOf(prices: Prices, size: PromptSize, headChars: number, warm: boolean): number {
  return billedInput(prices, { total: size.total + headChars, cached: warm ? size.kept + headChars : 0 });
}
