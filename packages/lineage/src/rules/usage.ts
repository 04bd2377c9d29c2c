import type { UsageSummary } from "../documents/types.ts";

export const noUsage: UsageSummary = { total_tokens: 0, prompt_tokens: 0, completion_tokens: 0, model_requests: 0 };

/** What several models, or several requests, took together. */
export function sumOfUsage(parts: Iterable<UsageSummary>): UsageSummary {
  const sum = { ...noUsage };
  for (const part of parts) {
    sum.total_tokens += part.total_tokens;
    sum.prompt_tokens += part.prompt_tokens;
    sum.completion_tokens += part.completion_tokens;
    sum.model_requests += part.model_requests;
  }
  return sum;
}
