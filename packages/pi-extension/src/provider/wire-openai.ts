import { isWireObject, stringOf, type WireObject, WireUnit } from "./wire-unit.ts";

/** Pi puts marks on text alone. */
const texts = new Set<unknown>(["text"]);
const none = new Set<unknown>();

/** Chat completions: each message is a unit. Marks stand there on routes to Anthropic. */
export function completionsUnits(
  { role, content, tool_calls, tool_call_id }: WireObject,
  message: number,
): readonly WireUnit[] {
  const spot = { message };
  if (role === "assistant") {
    return [new WireUnit("assistant", content, { callId: firstCallId(tool_calls), spot, markable: none })];
  }
  if (role !== "tool") return [new WireUnit(role === "user" ? "user" : "system", content, { spot, markable: texts })];
  return [new WireUnit("tool", content, { callId: stringOf(tool_call_id) ?? "", spot, markable: texts })];
}

function firstCallId(calls: unknown): string | undefined {
  const first: unknown = Array.isArray(calls) ? calls[0] : undefined;
  return isWireObject(first) ? stringOf(first.id) : undefined;
}

/** Responses: an answer is several items, of which only what was said and what came back are of interest here. */
export function responsesUnits(
  { type, role, content, output, call_id }: WireObject,
  message: number,
): readonly WireUnit[] {
  const facts = { spot: { message }, markable: none };
  if (type === "function_call_output" || type === "custom_tool_call_output") {
    return [new WireUnit("tool", output, { callId: stringOf(call_id) ?? "", ...facts })];
  }
  return role === "user" ? [new WireUnit("user", content, facts)] : [];
}
