import type { WireFormat } from "../wire/formats.ts";
import type { JsonObject } from "../wire/json.ts";
import type { CountedTokens } from "../wire/prefix-cache.ts";

/** A provider's answer to a prompt longer than its window; Pi recognises it by its words. */
export function overflow(format: WireFormat, tokens: CountedTokens): { status: number; body: JsonObject } {
  const asked = tokens.input + tokens.cacheRead + tokens.cacheWrite;
  if (format === "anthropic-messages") {
    const message = `prompt is too long: ${asked} tokens > ${Math.max(0, asked - 1)} maximum`;
    return { status: 400, body: { type: "error", error: { type: "invalid_request_error", message } } };
  }
  const message = "Your input exceeds the context window of this model.";
  return { status: 400, body: { error: { type: "invalid_request_error", code: "context_length_exceeded", message } } };
}
