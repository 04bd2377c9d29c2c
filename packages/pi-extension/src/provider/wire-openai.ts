import { isWireObject, stringOf, type WireObject, WireUnit } from "./wire-unit.ts";

/** Pi puts marks on text alone. */
const texts = new Set<unknown>(["text"]);
const none = new Set<unknown>();

/** Chat completions: each message is a unit. Marks stand there on routes to Anthropic. */
export function completionsUnits(messages: readonly WireObject[]): readonly WireUnit[] {
  return messages.map(({ role, content, tool_calls, tool_call_id }, message) => {
    const spot = { message };
    if (role === "assistant") {
      return new WireUnit("assistant", content, { callId: firstCallId(tool_calls), spot, markable: none });
    }
    if (role !== "tool") return new WireUnit(role === "user" ? "user" : "system", content, { spot, markable: texts });
    return new WireUnit("tool", content, { callId: stringOf(tool_call_id) ?? "", spot, markable: texts });
  });
}

function firstCallId(calls: unknown): string | undefined {
  const first: unknown = Array.isArray(calls) ? calls[0] : undefined;
  return isWireObject(first) ? stringOf(first.id) : undefined;
}

/** Responses: an answer is several items, of which only what was said and what came back are of interest here. */
export function responsesUnits(input: readonly WireObject[]): readonly WireUnit[] {
  const units: WireUnit[] = [];
  for (const [message, { type, role, content, output, call_id }] of input.entries()) {
    const facts = { spot: { message }, markable: none };
    if (type === "function_call_output" || type === "custom_tool_call_output") {
      units.push(new WireUnit("tool", output, { callId: stringOf(call_id) ?? "", ...facts }));
    } else if (role === "user") {
      units.push(new WireUnit("user", content, facts));
    }
  }
  return units;
}
