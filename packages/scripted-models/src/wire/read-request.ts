import type { WireFormat } from "./formats.ts";
import type { JsonObject } from "./json.ts";
import { readAnthropic } from "./read-anthropic.ts";
import { readCompletions } from "./read-completions.ts";
import { readResponses } from "./read-responses.ts";
import type { SentPrompt } from "./sent-prompt.ts";

const readers: Readonly<Record<WireFormat, (body: JsonObject) => SentPrompt>> = {
  "anthropic-messages": readAnthropic,
  "openai-completions": readCompletions,
  "openai-responses": readResponses,
};

/** A captured body in the one shape. @throws UnreadableRequest where it is not of its format */
export function readRequest(format: WireFormat, body: JsonObject): SentPrompt {
  return readers[format](body);
}
