import { noticeLine } from "@cm/prompt-grammar";
import { callsOf, takeCall } from "../branch/calls-of.ts";
import type { PlacedMessage } from "../others/apply-extension-changes.ts";

/** The same messages with a result for each call that has none on the branch: providers take no call without one. */
export function withLostResults(placed: readonly PlacedMessage[]): readonly PlacedMessage[] {
  const all: PlacedMessage[] = [];
  let waiting: ReturnType<typeof callsOf> = [];
  for (const one of placed) {
    const { message } = one;
    if (message.role === "toolResult") takeCall(waiting, message.toolCallId);
    else {
      all.push(...waiting.map(lostResult));
      waiting = message.role === "assistant" ? callsOf(message) : [];
    }
    all.push(one);
  }
  return [...all, ...waiting.map(lostResult)];
}

const lostResult = ({ id, name }: ReturnType<typeof callsOf>[number]): PlacedMessage => ({
  item: undefined,
  message: {
    ...{ role: "toolResult", toolCallId: id, toolName: name, isError: false, timestamp: 0 },
    content: [{ type: "text", text: noticeLine({ kind: "no-output", why: "unknown" }) }],
  },
});
