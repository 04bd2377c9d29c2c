import { type Prices, providerPrices } from "@cm/context-log";
import { defined } from "@cm/object-model";
import type { PiModel } from "../pi/pi-types.ts";
import { providerLimits } from "./limits.ts";
import { hasAnthropicMarks } from "./mark-format.ts";

/** For how long a request asks the provider to keep its prefix, as Pi reads it from `PI_CACHE_RETENTION`. */
export type Retention = "short" | "long";

export function retentionOf(environment: Readonly<Record<string, string | undefined>>): Retention {
  return environment.PI_CACHE_RETENTION === "long" ? "long" : "short";
}

/**
 * What input costs with this model, relative to a plain token: by the costs that Pi's list of models has, and where
 * they say nothing by the wire format. A price of zero says nothing: lists have it for what is unknown, and a cache
 * that costs nothing at all would never be worth a fold.
 */
export function pricesOf(model: PiModel, retention: Retention = "short"): Prices {
  const byApi = pricesByApi(model, retention);
  const { input, cacheRead, cacheWrite } = model.cost;
  const lifetimeMs = lifetimeMsOf(model, retention) ?? byApi.lifetimeMs;
  return {
    ...byApi,
    ...defined({ lifetimeMs }),
    ...(isPrice(input) && isPrice(cacheRead) ? { read: Math.min(1, cacheRead / input) } : {}),
    ...(isPrice(input) ? { write: writePrice(model, { byApi, ratio: cacheWrite / input, retention }) } : {}),
  };
}

interface WriteFacts {
  readonly byApi: Prices;
  readonly ratio: number;
  readonly retention: Retention;
}

function writePrice(model: PiModel, { byApi, ratio, retention }: WriteFacts): number {
  // Models that another provider serves in Anthropic's format are listed without a price of writing, and have none.
  if (!isPrice(ratio)) return isPrice(model.cost.cacheRead) ? 1 : byApi.write;
  // Lists know the price of five minutes only; an hour is billed as two plain tokens.
  if (retention === "long" && hasAnthropicMarks(model) && ratio > 1) return byApi.write;
  return Math.min(providerLimits.writePriceMax, Math.max(1, ratio));
}

function pricesByApi(model: PiModel, retention: Retention): Prices {
  if (hasAnthropicMarks(model)) return withoutMinimum(anthropicPrices[retention]);
  switch (model.api) {
    // Pi marks the end of the system prompt and the newest message; its format has no place for marks of ours.
    case "bedrock-converse-stream":
      return { ...withoutMinimum(anthropicPrices[retention]), breakpointsMax: 2 };
    case "google-generative-ai":
    case "google-vertex":
      return withoutMinimum(providerPrices.gemini);
    default:
      return withoutMinimum(providerPrices.openaiGpt5);
  }
}

const anthropicPrices = { short: providerPrices.anthropic5m, long: providerPrices.anthropic1h } as const;

/** Prices that a session takes: no bill counts the shortest prefix. */
function withoutMinimum({ read, write, ...rest }: Prices): Prices {
  const { lifetimeMs, breakpointsMax, lookbackBlocks } = rest;
  return {
    read,
    write,
    ...defined({ lifetimeMs, breakpointsMax, lookbackBlocks }),
  };
}

function lifetimeMsOf({ promptCache }: PiModel, retention: Retention): number | undefined {
  const seconds = promptCache?.[retention] ?? promptCache?.short;
  return isPrice(seconds) ? Math.round(seconds * 1_000) : undefined;
}

const isPrice = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value) && value > 0;
