import type { Prices } from "./prices.ts";

/** Prices with what a provider asks for before it caches anything; no bill here counts that. */
export interface ProviderPrices extends Prices {
  /** Shorter prefixes are not cached. */
  readonly prefixTokensMin?: number;
}

const minutesMs = 60_000;

/** An entry is found up to 20 blocks back, the marked one counted; reading it renews it. */
const anthropic = {
  read: 0.1,
  breakpointsMax: 4,
  lookbackBlocks: 20,
  prefixTokensMin: 4_096,
} as const satisfies Partial<ProviderPrices>;

/** Automatic, in steps of 128 tokens, kept for 5 to 10 minutes without use. Writing costs nothing more. */
const openai = { write: 1, lifetimeMs: 10 * minutesMs, prefixTokensMin: 1_024 } as const;

/**
 * What common providers bill for cached input, relative to uncached input, as they published it in November 2026. Data:
 * another contract or a newer model needs prices of its own. Where a minimum differs by model, the
 * largest is given. A lifetime is absent where the provider promises none.
 *
 * * Anthropic: platform.claude.com, "Prompt caching", as of 2026-11-04. Some later models read at less than 0.1.
 * * OpenAI: developers.openai.com, "Prompt caching" and "Pricing", as of 2026-11-05. From GPT-5.6 on writing costs
 * 1.25,
 *   a prefix is served only where a request marks it (in `explicit` mode; the default marks the newest message alone),
 *   up to 80 marks are looked at, and the last four of a request are written: a fifth mark at the head was written
 * before.
 * * Gemini: ai.google.dev, "Context caching", as of 2026-10-13; 0.25 as of 2025-05-08. Implicit, and not promised.
 * * DeepSeek: api-docs.deepseek.com, "Models & Pricing", as of 2026-10-27; 0.1 as of 2024-08-02. Kept on disk for
 * hours.
 */
export const providerPrices = {
  anthropic5m: { ...anthropic, write: 1.25, lifetimeMs: 5 * minutesMs },
  anthropic1h: { ...anthropic, write: 2, lifetimeMs: 60 * minutesMs },
  openaiGpt4o: { ...openai, read: 0.5 },
  openaiGpt41: { ...openai, read: 0.25 },
  openaiGpt5: { ...openai, read: 0.1 },
  openaiGpt56: { read: 0.1, write: 1.25, lifetimeMs: 30 * minutesMs, breakpointsMax: 5, prefixTokensMin: 1_024 },
  geminiAtFirst: { read: 0.25, write: 1, prefixTokensMin: 2_048 },
  gemini: { read: 0.1, write: 1, prefixTokensMin: 4_096 },
  deepseekV3: { read: 0.1, write: 1, prefixTokensMin: 64 },
  deepseekV4Flash: { read: 0.02, write: 1, prefixTokensMin: 64 },
  deepseekV4Pro: { read: 1 / 30, write: 1, prefixTokensMin: 64 },
  none: { read: 1, write: 1 },
} as const satisfies Record<string, ProviderPrices>;
