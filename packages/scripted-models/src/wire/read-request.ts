import { readAnthropic } from "./anthropic/read-anthropic.ts";
import { readCompletions } from "./completions/read-completions.ts";
import type { WireFormat } from "./formats.ts";
import type { JsonObject } from "./json.ts";
import { readResponses } from "./responses/read-responses.ts";
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
