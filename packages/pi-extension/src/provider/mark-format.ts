import type { PiModel } from "../pi/pi-types.ts";

/** Whether Pi puts Anthropic's `cache_control` into this model's requests, whatever format they have. */
export function hasAnthropicMarks({ api, provider, id, compat }: PiModel): boolean {
  if (api === "anthropic-messages") return true;
  if (api !== "openai-completions") return false;
  const format = compat !== undefined && "cacheControlFormat" in compat ? compat.cacheControlFormat : undefined;
  return format === undefined ? provider === "openrouter" && id.startsWith("anthropic/") : format === "anthropic";
}
