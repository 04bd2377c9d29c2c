import { anthropicUnits } from "./wire-anthropic.ts";
import { completionsUnits, responsesUnits } from "./wire-openai.ts";
import { isWireObject, type UnitReader, type WireFormat, type WireObject, type WirePrompt } from "./wire-unit.ts";

/** The messages of a provider's request. Undefined for an unknown format. */
export function readPayload(payload: unknown): WirePrompt | undefined {
  if (!isWireObject(payload)) return undefined;
  const { messages, input, system } = payload;
  if (Array.isArray(input)) return wirePrompt("openai-responses", input.filter(isWireObject), responsesUnits);
  if (!Array.isArray(messages) || !messages.every(isWireObject)) return undefined;
  // Amazon's format has `messages` too, with blocks that name no type.
  if ("inferenceConfig" in payload || "modelId" in payload) return undefined;
  const isAnthropic = system !== undefined || ("max_tokens" in payload && messages.some(hasAnthropicBlocks));
  return isAnthropic
    ? wirePrompt("anthropic", messages, anthropicUnits)
    : wirePrompt("openai-completions", messages, completionsUnits);
}

function wirePrompt(format: WireFormat, messages: readonly WireObject[], read: UnitReader): WirePrompt {
  return {
    ...{ format, messages },
    units: (from = 0, to = messages.length) =>
      messages.slice(from, to).flatMap((message, place) => read(message, from + place)),
  };
}

const anthropicTypes = new Set<unknown>(["tool_use", "tool_result", "thinking", "redacted_thinking", "image"]);

function hasAnthropicBlocks({ content }: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(content) && content.some((block) => isWireObject(block) && anthropicTypes.has(block.type));
}
