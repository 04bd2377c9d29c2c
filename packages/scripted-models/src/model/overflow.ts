import type { WireFormat } from "../wire/formats.ts";
import type { JsonObject } from "../wire/json.ts";
import type { CountedTokens } from "./prefix-cache.ts";

/** What a provider answers to a prompt that is longer than its window; Pi knows it by the words. */
export function overflow(format: WireFormat, tokens: CountedTokens): { status: number; body: JsonObject } {
  const asked = tokens.input + tokens.cacheRead + tokens.cacheWrite;
  if (format === "anthropic-messages") {
    const message = `prompt is too long: ${asked} tokens > ${Math.max(0, asked - 1)} maximum`;
    return { status: 400, body: { type: "error", error: { type: "invalid_request_error", message } } };
  }
  const message = "Your input exceeds the context window of this model.";
  return { status: 400, body: { error: { type: "invalid_request_error", code: "context_length_exceeded", message } } };
}
