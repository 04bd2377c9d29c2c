import { isWireObject, type WireObject } from "./wire-unit.ts";

/** A mark on tools or system prompt. */
export interface HeadMark {
  readonly mark: unknown;
  readonly on: "tools" | "system" | "first-message";
  readonly block: number;
}

export const isMarked = (block: WireObject): boolean => block.cache_control !== undefined;

/** In the order in which the provider reads them. */
export function headMarks(payload: WireObject, first: WireObject | undefined): readonly HeadMark[] {
  const isFirst = payload.system === undefined && (first?.role === "system" || first?.role === "developer");
  return [
    ...marksOf(payload.tools, "tools"),
    ...marksOf(payload.system, "system"),
    ...(isFirst ? marksOf(first?.content, "first-message") : []),
  ];
}

function marksOf(blocks: unknown, on: HeadMark["on"]): readonly HeadMark[] {
  if (!Array.isArray(blocks)) return [];
  return blocks.flatMap((entry: unknown, block) =>
    isWireObject(entry) && isMarked(entry) ? [{ mark: entry.cache_control, on, block }] : [],
  );
}

/** The request without one of them. */
export function withoutHeadMark(request: WireObject, { on, block }: HeadMark): WireObject {
  if (on !== "first-message") return { ...request, [on]: unmarkedAt(request[on], block) };
  const { messages } = request;
  if (!Array.isArray(messages)) return request;
  return {
    ...request,
    messages: messages.map((message: unknown, index) =>
      index === 0 && isWireObject(message) ? { ...message, content: unmarkedAt(message.content, block) } : message,
    ),
  };
}

function unmarkedAt(blocks: unknown, block: number): unknown {
  if (!Array.isArray(blocks)) return blocks;
  return blocks.map((entry: unknown, index) => (index === block ? unmarked(entry) : entry));
}

export function unmarked(block: unknown): unknown {
  if (!isWireObject(block) || !isMarked(block)) return block;
  const { cache_control: _mark, ...rest } = block;
  return rest;
}
