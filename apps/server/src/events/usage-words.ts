import type { TokenUsage } from "@ag-ui/core";
import type { ModelUsage } from "../agent/run-usage.ts";

const inputOf = ({ input, cacheRead, cacheWrite }: ModelUsage): number => input + cacheRead + cacheWrite;

/** In AG-UI's words. */
export function tokenUsage(usage: ModelUsage): TokenUsage {
  const { provider, model, output, cacheRead, cacheWrite } = usage;
  const inputTokens = inputOf(usage);
  return {
    ...{ provider, model, inputTokens, outputTokens: output, totalTokens: inputTokens + output },
    ...{ cachedInputTokens: cacheRead, cacheWriteInputTokens: cacheWrite },
  };
}

/** The seed's summary of a run's tokens. */
export function usageSummary(usage: readonly ModelUsage[]) {
  const prompt = usage.reduce((sum, each) => sum + inputOf(each), 0);
  const completion = usage.reduce((sum, { output }) => sum + output, 0);
  const requests = usage.reduce((sum, each) => sum + each.requests, 0);
  return {
    ...{ total_tokens: prompt + completion, prompt_tokens: prompt },
    ...{ completion_tokens: completion, model_requests: requests },
  };
}

/** In the seed's words, with each model's part: what a run has used so far. */
export const usageSnapshot = (usage: readonly ModelUsage[]) => ({
  ...usageSummary(usage),
  models: usage.map((each) => ({
    ...{ provider: each.provider, model: each.model, model_requests: each.requests },
    ...{ prompt_tokens: inputOf(each), completion_tokens: each.output },
    ...{ cache_read_tokens: each.cacheRead, cache_write_tokens: each.cacheWrite },
  })),
});
