import { z } from "zod";
import { insist, type SentRequest } from "./sent-request.ts";

const part = z.union([
  z.strictObject({ type: z.literal("text"), text: z.string() }),
  z.strictObject({ type: z.literal("image_url"), image_url: z.strictObject({ url: z.string().startsWith("data:") }) }),
]);
const call = z.strictObject({
  id: z.string(),
  type: z.literal("function"),
  function: z.strictObject({ name: z.string(), arguments: z.string() }),
});

const shape = z.object({
  model: z.string(),
  tools: z.array(
    z.strictObject({
      type: z.literal("function"),
      function: z.strictObject({ name: z.string(), description: z.string(), parameters: z.looseObject({}) }),
    }),
  ),
  messages: z.array(
    z.discriminatedUnion("role", [
      z.strictObject({ role: z.literal("system"), content: z.string() }),
      z.strictObject({ role: z.literal("user"), content: z.union([z.string(), z.array(part).min(1)]) }),
      z.strictObject({
        role: z.literal("assistant"),
        content: z.string().nullable(),
        reasoning_content: z.string().optional(),
        tool_calls: z.array(call).min(1).optional(),
      }),
      z.strictObject({ role: z.literal("tool"), tool_call_id: z.string(), content: z.string() }),
    ]),
  ),
});

type Messages = z.infer<typeof shape>["messages"];

/** A body of chat completions, held to the protocol's rules. @throws BadRequest */
export function readChat(body: unknown): SentRequest {
  const read = shape.safeParse(body);
  insist(read.success, `not of the protocol: ${read.error?.issues[0]?.path.join(".")}`);
  const { messages, tools } = read.data;
  insist(messages.at(-1)?.role !== "assistant", "the last message is the model's");
  checkPairs(messages);
  return {
    userText: messages.map((message) => (message.role === "user" ? textOf(message.content) : "")).join("\n"),
    answers: messages.filter(({ role }) => role === "assistant").length,
    pieces: [JSON.stringify(tools), ...messages.map((message) => JSON.stringify(message))],
    marks: undefined,
  };
}

function textOf(content: string | readonly z.infer<typeof part>[]): string {
  if (typeof content === "string") return content;
  return content.map((piece) => (piece.type === "text" ? piece.text : "")).join("\n");
}

/** Each answer's calls have their results directly behind it, before anything else. */
function checkPairs(messages: Messages): void {
  const open = new Set<string>();
  for (const message of messages) {
    if (message.role === "tool") insist(open.delete(message.tool_call_id), "a result without a call");
    else insist(open.size === 0, "a call without a result");
    if (message.role !== "assistant") continue;
    for (const { id, function: named } of message.tool_calls ?? []) {
      open.add(id);
      insist(isObject(named.arguments), "arguments that are no object");
    }
  }
  insist(open.size === 0, "a call without a result");
}

function isObject(json: string): boolean {
  const value: unknown = JSON.parse(json);
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
