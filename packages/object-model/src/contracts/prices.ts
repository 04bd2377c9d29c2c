/** Price of input relative to a plain uncached token: `read` for the cached prefix, `write` for what is new. */
export interface Prices {
  readonly read: number;
  readonly write: number;
  /** How long an unused prefix is kept, in milliseconds. */
  readonly lifetimeMs?: number;
  /** Places that a request may name for caching, where the provider caches only there; absent where it finds them itself. */
  readonly breakpointsMax?: number;
}

/** A common provider's prices for prefix caching. */
export const defaultPrices: Prices = { read: 0.1, write: 1.25 };

/** Billed input of one request (design 2), in characters or tokens, whatever the sizes are in. */
export function billedInput(prices: Prices, size: { readonly total: number; readonly cached: number }): number {
  return prices.read * size.cached + prices.write * (size.total - size.cached);
}
