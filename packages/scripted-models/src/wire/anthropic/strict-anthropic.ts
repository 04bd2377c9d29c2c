import { z } from "zod";
import { limits } from "../limits.ts";
import { insist, type SentRequest } from "./sent-request.ts";
import { signatureOf } from "./signature.ts";

const marked = { cache_control: z.strictObject({ type: z.literal("ephemeral") }).optional() };
const text = z.strictObject({ type: z.literal("text"), text: z.string().regex(/\S/), ...marked });
const image = z.strictObject({
  type: z.literal("image"),
  source: z.strictObject({ type: z.literal("base64"), media_type: z.string(), data: z.base64() }),
  ...marked,
});
const thinking = z.strictObject({ type: z.literal("thinking"), thinking: z.string(), signature: z.string() });
const toolUse = z.strictObject({
  ...{ type: z.literal("tool_use"), id: z.string(), name: z.string(), input: z.record(z.string(), z.json()) },
  ...marked,
});
const toolResult = z.strictObject({
  ...{ type: z.literal("tool_result"), tool_use_id: z.string(), content: z.array(z.union([text, image])).optional() },
  ...{ is_error: z.boolean().optional(), ...marked },
});

const shape = z.object({
  model: z.string(),
  max_tokens: z.int().min(1),
  system: z.array(text).optional(),
  tools: z.array(z.strictObject({ name: z.string(), description: z.string(), input_schema: z.looseObject({}) })),
  messages: z
    .array(
      z.discriminatedUnion("role", [
        z.strictObject({ role: z.literal("user"), content: z.array(z.union([text, image, toolResult])).min(1) }),
        z.strictObject({ role: z.literal("assistant"), content: z.array(z.union([thinking, text, toolUse])).min(1) }),
      ]),
    )
    .min(1),
});

type Messages = z.infer<typeof shape>["messages"];
type SentBlock = Messages[number]["content"][number];

/** A body of Anthropic's Messages, held to the protocol's rules. @throws BadRequest */
export function readMessages(body: unknown): SentRequest {
  const read = shape.safeParse(body);
  insist(read.success, `not of the protocol: ${read.error?.issues[0]?.path.join(".")}`);
  const { system = [], tools, messages } = read.data;
  checkRoles(messages);
  for (const [index, message] of messages.entries()) {
    if (message.role === "assistant") checkAnswer(message.content, messages[index + 1]?.content ?? []);
  }
  const blocks: readonly SentBlock[] = messages.flatMap(({ content }): readonly SentBlock[] => content);
  const said = blocks.filter((block) => block.type === "text");
  const head = JSON.stringify([tools, system.map((block) => block.text)]);
  const pieces = [head, ...blocks.map((block) => JSON.stringify({ ...block, cache_control: undefined }))];
  const marks = [
    ...(system.some(isMarked) ? [1] : []),
    ...blocks.flatMap((block, at) => (isMarked(block) ? [at + 2] : [])),
  ];
  insist(marks.length >= 1 && marks.length <= limits.cacheMarksMax, `${marks.length} cache marks`);
  return {
    userText: said.map((block) => block.text).join("\n"),
    answers: messages.filter(({ role }) => role === "assistant").length,
    pieces,
    marks,
  };
}

const isMarked = (block: object): boolean => "cache_control" in block && block.cache_control !== undefined;

function checkRoles(messages: Messages): void {
  insist(messages[0]?.role === "user", "the first message is not the user's");
  insist(messages.at(-1)?.role === "user", "the last message is not the user's");
  const twice = messages.findIndex(({ role }, index) => role === messages[index + 1]?.role);
  insist(twice === -1, `messages ${twice} and ${twice + 1} have one role`);
}

/** Thinking first and as it was given; each call answered at the start of the next message, and nothing else there. */
function checkAnswer(content: readonly SentBlock[], next: readonly SentBlock[]): void {
  const order = content.map(({ type }) => ["thinking", "text", "tool_use"].indexOf(type));
  insist(
    order.every((rank, index) => rank >= (order[index - 1] ?? 0)),
    "blocks of an answer in another order",
  );
  for (const block of content) {
    if (block.type === "thinking") insist(block.signature === signatureOf(block.thinking), "a broken signature");
  }
  const asked = content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
  const first = next.slice(0, asked.length).map((block) => (block.type === "tool_result" ? block.tool_use_id : ""));
  insist(asked.toSorted().join() === first.toSorted().join(), "calls and results are no pairs");
  insist(
    next.slice(asked.length).every(({ type }) => type !== "tool_result"),
    "a result without a call",
  );
}
