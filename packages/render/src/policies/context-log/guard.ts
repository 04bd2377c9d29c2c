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
 * True while this request keeps the session within what the plain log would have cost by then, or, before a session
 * counts as settled, while it does so together with the calls up to there. Both sides are known, not guessed: what comes
 * is the same text in both logs, so that the shorter prompt saves at least what it saves now.
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
  const lent = lentCalls(ledger.requests, constants);
  const carried = (chars: number): number => lent * prices.read * (chars + ledger.headChars);
  const spent = ledger.billed + managed + carried(sizes.managed.total);
  return spent <= constants.regretShare * (ledger.plainBilled + plain + carried(sizes.plainChars));
}

/** Calls whose carrying is lent to a fold. A loan is paid back before the session is settled. */
function lentCalls(requests: number, { shortRequests, settledRequests, lentCallsMax }: ContextLogConstants): number {
  if (requests < shortRequests) return 0;
  return Math.max(0, Math.min(lentCallsMax, settledRequests - 1 - requests));
}

function priceOf(prices: Prices, size: PromptSize, headChars: number, warm: boolean): number {
  return billedInput(prices, { total: size.total + headChars, cached: warm ? size.kept + headChars : 0 });
}
