import type { PiMessage } from "../../src/pi/pi-types.ts";

/** Says in a sentence each what is wrong with the messages that were made of Pi's own: pairs, order, ids, loss. */
export function promptFaults(made: readonly PiMessage[], own: readonly PiMessage[]): readonly string[] {
  return [...pairFaults(made), ...orderFaults(made, own), ...lostWords(made, own), ...endFaults(made)];
}

type Assistant = Extract<PiMessage, { role: "assistant" }>;

const callsOf = ({ content }: Assistant): readonly string[] =>
  content.flatMap((block) => (block.type === "toolCall" ? [block.id] : []));

/** Pi sends no answer that broke off. */
const isSent = ({ stopReason }: Assistant): boolean => stopReason !== "error" && stopReason !== "aborted";

const answersOf = (messages: readonly PiMessage[]): readonly Assistant[] =>
  messages.filter((message) => message.role === "assistant").filter(isSent);

function pairFaults(messages: readonly PiMessage[]): string[] {
  const faults: string[] = [];
  let open: string[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role === "toolResult") {
      if (open.shift() !== message.toolCallId) faults.push(`Message ${at} is a result out of its place.`);
      continue;
    }
    if (open.length > 0) faults.push(`Message ${at} stands before the results of ${open.join(", ")}.`);
    open = message.role === "assistant" ? [...callsOf(message)] : [];
  }
  return open.length === 0 ? faults : [...faults, `The calls ${open.join(", ")} have no result.`];
}

function orderFaults(made: readonly PiMessage[], own: readonly PiMessage[]): string[] {
  const [is, was] = [made, own].map((messages) => JSON.stringify(answersOf(messages).map(callsOf)));
  return is === was ? [] : [`The answers call ${is}, not ${was}.`];
}

function lostWords(made: readonly PiMessage[], own: readonly PiMessage[]): string[] {
  const said = made.flatMap((message) => (message.role === "user" ? [textOf(message)] : []));
  const faults: string[] = [];
  let place = 0;
  for (const message of own) {
    if (message.role !== "user" && message.role !== "custom") continue;
    const found = said.findIndex((text, at) => at >= place && text.includes(textOf(message)));
    if (found < 0) faults.push(`It has lost "${textOf(message).slice(0, 60)}".`);
    else place = found;
  }
  return faults;
}

function textOf({ content }: Extract<PiMessage, { role: "user" | "custom" }>): string {
  if (typeof content === "string") return content;
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

function endFaults(made: readonly PiMessage[]): string[] {
  const [first, last] = [made[0], made.at(-1)];
  return [
    ...(first?.role === "user" ? [] : [`It begins with ${first?.role ?? "nothing"}.`]),
    ...(last?.role === "assistant" ? ["It ends with an answer."] : []),
  ];
}
