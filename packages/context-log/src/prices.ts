/**
 * Price of input relative to a plain uncached token: `read` for the cached prefix, `write` for what is new. Data that
 * a user may replace by the figures of their own contract; see `providerPrices` for those of common providers.
 */
export interface Prices {
  readonly read: number;
  readonly write: number;
  /** How long an unused prefix is kept, in milliseconds. Absent: unknown, and only the harness says `cold`. */
  readonly lifetimeMs?: number;
  /** Places that a request may name for caching, where the provider caches only there; absent where it finds them itself. */
  readonly breakpointsMax?: number;
  /**
   * How many content blocks the provider looks back from a named place, that place's own block counted, to find one that
   * an earlier request named. Default: 1, so that it must be named again.
   */
  readonly lookbackBlocks?: number;
}

/** A common provider's prices for prefix caching. */
export const defaultPrices: Prices = { read: 0.1, write: 1.25 };

/** Billed input of one request (SSOT 4.6), in characters or tokens, whatever the sizes are in. */
export function billedInput(prices: Prices, size: { readonly total: number; readonly cached: number }): number {
  return prices.read * size.cached + prices.write * (size.total - size.cached);
}
