import { isWireObject, stringOf, type WireObject, WireUnit } from "./wire-unit.ts";

/** Blocks that take a mark. Thinking never does. */
const markable = new Set<unknown>(["text", "image", "document", "tool_result", "tool_addition", "tool_removal"]);
const none = new Set<unknown>();

/** Each result is a unit of its own, though results of one answer share a message. */
export function anthropicUnits({ role, content }: WireObject, message: number): readonly WireUnit[] {
  const spot = { message };
  if (role === "assistant") {
    return [new WireUnit("assistant", content, { callId: firstCallId(content), spot, markable: none })];
  }
  if (role === "system") return [new WireUnit("system", content, { spot, markable })];
  if (Array.isArray(content) && content.some(isResult)) return partsOf(content, message);
  return [new WireUnit("user", content, { spot, markable })];
}

function firstCallId(content: unknown): string | undefined {
  if (!Array.isArray(content)) return undefined;
  const call: unknown = content.find((block: unknown) => isWireObject(block) && block.type === "tool_use");
  return isWireObject(call) ? (stringOf(call.id) ?? "") : undefined;
}

const isResult = (block: unknown): block is WireObject => isWireObject(block) && block.type === "tool_result";

/** A message with results; what stands between them is one unit each time. */
function partsOf(content: readonly unknown[], message: number): readonly WireUnit[] {
  const units: WireUnit[] = [];
  let from = 0;
  const close = (to: number): void => {
    if (to > from)
      units.push(new WireUnit("user", content.slice(from, to), { spot: { message, blocksBefore: from }, markable }));
    from = to + 1;
  };
  for (const [block, part] of content.entries()) {
    if (!isResult(part)) continue;
    close(block);
    const callId = stringOf(part.tool_use_id) ?? "";
    units.push(new WireUnit("tool", part.content, { callId, spot: { message, block }, markable }));
  }
  close(content.length);
  return units;
}
