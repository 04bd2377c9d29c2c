import { hasPicturesIn, isWireObject, stringOf, textsIn, type WireObject, type WireUnit } from "./wire-unit.ts";

/** Chat completions: each message is a unit. Marks stand on text alone, as Pi puts them on routes to Anthropic. */
export function completionsUnits(messages: readonly WireObject[]): readonly WireUnit[] {
  return messages.map((message, index): WireUnit => {
    const { role, content } = message;
    const parts = { texts: textsIn(content), hasPictures: hasPicturesIn(content) };
    const place = textPlace(content, index);
    if (role === "assistant") {
      const callId = firstCallId(message.tool_calls);
      return { kind: "assistant", ...parts, ...(callId === undefined ? {} : { callId }) };
    }
    const at = place === undefined ? {} : { place };
    if (role === "tool") return { kind: "tool", callId: stringOf(message.tool_call_id) ?? "", ...parts, ...at };
    return { kind: role === "user" ? "user" : "system", ...parts, ...at };
  });
}

function textPlace(content: unknown, message: number): WireUnit["place"] {
  if (typeof content === "string") return content === "" ? undefined : { message, block: undefined };
  if (!Array.isArray(content)) return undefined;
  const block = content.findLastIndex((part) => isWireObject(part) && part.type === "text" && part.text !== "");
  return block === -1 ? undefined : { message, block };
}

function firstCallId(calls: unknown): string | undefined {
  const first: unknown = Array.isArray(calls) ? calls[0] : undefined;
  return isWireObject(first) ? stringOf(first.id) : undefined;
}

const resultTypes = new Set<unknown>(["function_call_output", "custom_tool_call_output"]);

/** Responses: an answer is several items, of which only what was said and what came back are of interest here. */
export function responsesUnits(input: readonly WireObject[]): readonly WireUnit[] {
  return input.flatMap((item): readonly WireUnit[] => {
    const { type, role, content, output } = item;
    if (resultTypes.has(type)) {
      const callId = stringOf(item.call_id) ?? "";
      return [{ kind: "tool", callId, texts: textsIn(output), hasPictures: hasPicturesIn(output) }];
    }
    if (role !== "user") return [];
    return [{ kind: "user", texts: textsIn(content), hasPictures: hasPicturesIn(content) }];
  });
}
