import { blocksIn, hasPicturesIn, stringOf, textsIn, type WireObject, type WireUnit } from "./wire-unit.ts";

/** Blocks that take a mark. Thinking never does. */
const markable = new Set<unknown>(["text", "image", "document", "tool_result", "tool_addition", "tool_removal"]);

/** Each result is a unit of its own, though results of one answer share a message. */
export function anthropicUnits(messages: readonly WireObject[]): readonly WireUnit[] {
  return messages.flatMap((message, index) => {
    if (message.role === "assistant") return [assistantUnit(message)];
    const kind = message.role === "system" ? "system" : "user";
    return userUnits(message.content, { index, kind });
  });
}

function assistantUnit({ content }: WireObject): WireUnit {
  const callId = blocksIn(content).flatMap(({ type, id }) => (type === "tool_use" ? [stringOf(id) ?? ""] : []))[0];
  return {
    kind: "assistant",
    texts: textsIn(content),
    hasPictures: false,
    ...(callId === undefined ? {} : { callId }),
  };
}

interface Owner {
  readonly index: number;
  readonly kind: "system" | "user";
}

function userUnits(content: unknown, { index, kind }: Owner): readonly WireUnit[] {
  if (typeof content === "string") {
    return [{ kind, texts: [content], hasPictures: false, place: { message: index, block: undefined } }];
  }
  if (!Array.isArray(content)) return [];
  const units: WireUnit[] = [];
  let said: WireUnit | undefined;
  const close = (): void => {
    if (said !== undefined) units.push(said);
    said = undefined;
  };
  for (const [place, block] of content.entries()) {
    if (typeof block !== "object" || block === null) continue;
    if (block.type === "tool_result") {
      close();
      units.push(resultUnit(block, { message: index, block: place }));
      continue;
    }
    const [text] = textsIn([block]);
    said = {
      kind,
      texts: [...(said?.texts ?? []), ...(text === undefined ? [] : [text])],
      hasPictures: said?.hasPictures === true || hasPicturesIn([block]),
      ...placeOf(block, { message: index, block: place }, said?.place),
    };
  }
  close();
  return units;
}

function placeOf(block: WireObject, place: NonNullable<WireUnit["place"]>, before: WireUnit["place"]) {
  if (markable.has(block.type)) return { place };
  return before === undefined ? {} : { place: before };
}

function resultUnit(block: WireObject, place: NonNullable<WireUnit["place"]>): WireUnit {
  const { tool_use_id: callId, content } = block;
  return {
    kind: "tool",
    callId: stringOf(callId) ?? "",
    texts: textsIn(content),
    hasPictures: hasPicturesIn(content),
    place,
  };
}
