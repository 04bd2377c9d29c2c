import type { AssembleOptions } from "../harness.ts";
import type { Prices } from "../prices.ts";
import type { LogState } from "../state/log-state.ts";
import type { ContextView } from "../view.ts";

/**
 * Whether the provider's cache still has the request before (SSOT 4.6): what the harness says, else cold
 * for another model than the one that answered last, and after a pause longer than the cache lives. A session that is
 * resumed judges by the stored time of its newest request. Pure.
 */
export function cacheOf(
  { requestedAtMs, model }: Pick<LogState, "requestedAtMs" | "model">,
  asked: Pick<AssembleOptions, "cache" | "model">,
  { prices: { lifetimeMs }, atMs }: { readonly prices: Prices; readonly atMs: number },
): ContextView["cache"] {
  if (asked.cache !== undefined) return asked.cache;
  const isOtherModel = asked.model !== undefined && model !== undefined && asked.model !== model;
  const isIdle = lifetimeMs !== undefined && requestedAtMs !== undefined && atMs - requestedAtMs > lifetimeMs;
  return isOtherModel || isIdle ? "cold" : "warm";
}
