import type { CapturedRequest } from "../wire/captured-request.ts";

/** Prices of a token that is read from the cache and of one that is written to it, where one of plain input costs 1. */
export interface CachePrices {
  readonly read: number;
  readonly write: number;
}

/** The cost of the input of requests, in tokens of plain input. */
export function billed(requests: readonly Pick<CapturedRequest, "tokens">[], { read, write }: CachePrices): number {
  return requests.reduce(
    (sum, { tokens }) => sum + tokens.input + tokens.cacheRead * read + tokens.cacheWrite * write,
    0,
  );
}
