import { messageBytes, type WindowBound } from "@cm/context-log";
import { limits } from "@cm/context-log/state";
import type { PiMessage } from "../pi/pi-types.ts";

/**
 * The newest messages that a window has room for: older turns go as a whole, then older calls of the current one with
 * their results, and a message of ours says so in their place. What is left begins with what the user said. Nothing is
 * cut: where the newest call alone is too much, it stays.
 */
export function withinWindow(messages: readonly PiMessage[], window: WindowBound | undefined): readonly PiMessage[] {
  const bytesMax = bytesOf(window);
  let bytes = messages.reduce((sum, message) => sum + weightOf(message), 0);
  if (bytes <= bytesMax) return messages;
  const left = [...messages];
  bytes += weightOf(earlierTurns(messages.length)) + weightOf(earlierCalls(messages.length));
  const drop = (from: number, to: number): number => {
    for (const message of left.splice(from, to - from)) bytes -= weightOf(message);
    return to - from;
  };
  let [ofTurns, ofCalls] = [0, 0];
  for (let next = nextPrompt(left); bytes > bytesMax && next > 0; next = nextPrompt(left)) ofTurns += drop(0, next);
  // Behind the prompt that the turn begins with.
  for (let next = nextAnswer(left); bytes > bytesMax && next > 0; next = nextAnswer(left))
    ofCalls += drop(firstAnswer(left), next);
  if (ofCalls > 0) left.splice(firstAnswer(left), 0, earlierCalls(ofCalls));
  return ofTurns > 0 ? [earlierTurns(ofTurns), ...left] : left;
}

const earlierTurns = (count: number): PiMessage => leftOut(count, "of earlier turns left out above");

const earlierCalls = (count: number): PiMessage => leftOut(count, "of earlier calls left out here");

function leftOut(count: number, where: string): PiMessage {
  const [messages, them] = count === 1 ? ["message", "it"] : ["messages", "them"];
  const text = `[cm: ${count} ${messages} ${where}, and what keeps ${them} cannot be reached now]`;
  return { role: "user", content: [{ type: "text", text }], timestamp: 0 };
}

function bytesOf({ tokensMax, answerTokens = 0, bytesMax }: WindowBound = {}): number {
  const byTokens =
    tokensMax === undefined ? Number.POSITIVE_INFINITY : (tokensMax - answerTokens) * limits.bytesPerToken;
  return Math.min(byTokens, bytesMax ?? byTokens);
}

const isPrompt = ({ role }: PiMessage): boolean => role !== "assistant" && role !== "toolResult";

/** Where the second turn begins; -1 for none. */
function nextPrompt(messages: readonly PiMessage[]): number {
  const answer = firstAnswer(messages);
  return answer < 0 ? -1 : messages.findIndex((message, place) => place > answer && isPrompt(message));
}

const firstAnswer = (messages: readonly PiMessage[]): number => messages.findIndex(({ role }) => role === "assistant");

/** Where the second answer stands; -1 for none. */
function nextAnswer(messages: readonly PiMessage[]): number {
  const first = firstAnswer(messages);
  return first < 0 ? -1 : messages.findIndex(({ role }, place) => place > first && role === "assistant");
}

function weightOf(message: PiMessage): number {
  const content = "content" in message ? message.content : "";
  if (typeof content === "string") return Buffer.byteLength(content);
  return (content ?? []).reduce((sum: number, block) => {
    if (block.type === "text") return sum + Buffer.byteLength(block.text);
    if (block.type === "image") return sum + imageBytes;
    return sum + Buffer.byteLength(JSON.stringify(block));
  }, 0);
}

/** As `messageBytes` counts a picture. */
const imageBytes = messageBytes({
  ...{ id: "", role: "user", text: "", chars: 0 },
  attachments: [{ sha256: "", mime: "", bytes: 0 }],
});
