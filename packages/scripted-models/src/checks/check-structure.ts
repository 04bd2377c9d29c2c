import { limits } from "../limits.ts";
import type { CapturedRequest } from "../wire/captured-request.ts";
import type { SentBlock, SentMessage } from "../wire/sent-prompt.ts";
import { checkPairs } from "./check-pairs.ts";
import { checkThinking } from "./check-thinking.ts";

/**
 * Says in a sentence each what a provider would refuse in a request, or what has not come back as the model gave it.
 * Empty: all is well. Of requests for summaries only what concerns every request is to be expected.
 */
export function checkStructure(request: CapturedRequest): readonly string[] {
  const { messages, tools } = request.sent;
  const blocks = messages.flatMap((message) => message.blocks);
  const calls = blocks.some(({ kind }) => kind === "call");
  const said = [
    ...checkEnds(messages),
    ...checkRoles(messages),
    ...checkPairs(messages, request.format),
    ...checkThinking(request),
    ...blocks.flatMap(checkImages),
    ...checkMarks(request),
    ...(calls && tools.length === 0 ? ["There are calls, but no tools are declared."] : []),
    ...(request.format === "anthropic-messages" ? checkTexts(messages) : []),
  ];
  return said.map((sentence) => `Request ${request.index}: ${sentence}`);
}

function checkEnds(messages: readonly SentMessage[]): string[] {
  const spoken = messages.filter(({ role }) => role !== "system");
  const [first, last] = [spoken[0]?.role, spoken.at(-1)?.role];
  return [
    ...(first === "user" ? [] : [`The first message is not the user's, but of the role ${first ?? "none"}.`]),
    ...(last === "assistant" ? ["The last message is the model's."] : []),
  ];
}

/** Which blocks may stand in a message of each role. */
const legal: Readonly<Record<SentMessage["role"], readonly SentBlock["kind"][]>> = {
  system: ["text"],
  user: ["text", "image", "result"],
  assistant: ["thinking", "text", "call"],
  tool: ["result"],
};

function checkRoles(messages: readonly SentMessage[]): string[] {
  return messages.flatMap(({ role, blocks }, at) => [
    ...(blocks.length === 0 ? [`Message ${at} of the role ${role} is empty.`] : []),
    ...blocks.flatMap(({ kind }) =>
      legal[role].includes(kind) ? [] : [`Message ${at} of the role ${role} has a block of the kind ${kind}.`],
    ),
  ]);
}

const starts: Readonly<Record<string, readonly string[]>> = {
  "image/png": ["iVBORw0KGgo"],
  "image/jpeg": ["/9j/"],
  "image/gif": ["R0lGODdh", "R0lGODlh"],
  "image/webp": ["UklGR"],
};

function checkImages(block: SentBlock): string[] {
  const images = block.kind === "image" ? [block] : block.kind === "result" ? block.images : [];
  return images.flatMap(({ mediaType, data }) => {
    const known = starts[mediaType];
    if (known === undefined) return [`An image has the type ${mediaType}.`];
    const whole = Buffer.from(data, "base64").toString("base64") === data;
    return whole && known.some((start) => data.startsWith(start)) ? [] : [`The data of an image are no ${mediaType}.`];
  });
}

function checkMarks({ format, sent: { pieces } }: CapturedRequest): string[] {
  const marked = pieces.filter((piece) => piece.marked);
  if (format !== "anthropic-messages")
    return marked.length === 0 ? [] : ["There are cache marks, which it does not have."];
  const bad = marked.filter(({ text }) => /^\w+:\{"type":"(?:thinking"|redacted_thinking"|text","text":"")/.test(text));
  return [
    ...(marked.length > limits.marksMax ? [`There are ${marked.length} cache marks.`] : []),
    ...bad.map(() => "There is a cache mark where none may be: on thinking or on an empty text."),
  ];
}

/** Anthropic refuses texts of nothing but white space. */
function checkTexts(messages: readonly SentMessage[]): string[] {
  return messages.flatMap(({ blocks }, at) =>
    blocks.some((block) => block.kind === "text" && block.text.trim() === "")
      ? [`Message ${at} has an empty text.`]
      : [],
  );
}
