import type { PiAssistant } from "../pi/pi-types.ts";

type PiCall = Extract<PiAssistant["content"][number], { readonly type: "toolCall" }>;

/** The calls of an answer, in a list of the caller's own. */
export const callsOf = ({ content }: PiAssistant): PiCall[] =>
  content.flatMap((block) => (block.type === "toolCall" ? [block] : []));

/**
 * The call that a result answers, which then waits no more; undefined where none of that id waits. Ids come from
 * models: calls of one answer may share one, also an empty one, and their results come in their order.
 */
export function takeCall<Call extends { readonly id: string }>(waiting: Call[], id: string): Call | undefined {
  const place = waiting.findIndex((call) => call.id === id);
  return place === -1 ? undefined : waiting.splice(place, 1)[0];
}
