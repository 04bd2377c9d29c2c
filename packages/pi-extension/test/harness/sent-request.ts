import { sha256 } from "@cm/object-model";
import type {
  CapturedRequest,
  ScriptedAnswer,
  SentBlock,
  SentMessage as WireMessage,
} from "@cm/scripted-models/real-pi";
import type { SentMessage, SentRequest } from "@cm/testkit";

/** A request as it reached the model, with what is the wire format's own undone, and what was said of its tokens. */
export function sentRequest({ sent, format }: CapturedRequest, said: ScriptedAnswer["usage"]): SentRequest {
  const messages: SentMessage[] = [];
  for (const message of sent.messages) {
    if (message.role === "assistant") messages.push(answerMessage(message));
    else for (const part of partsOf(message)) addPart(messages, part);
  }
  if (typeof said !== "object") return { system: sent.system, messages };
  const { input, output, cacheRead, cacheWrite } = said;
  // OpenAI's formats do not say what was written into a cache: it counts as input.
  const isWriteSaid = format === "anthropic-messages";
  const counted = isWriteSaid ? { input, cacheWrite } : { input: input + cacheWrite, cacheWrite: 0 };
  return { system: sent.system, messages, usage: { ...counted, output, cacheRead } };
}

type Result = Extract<SentBlock, { kind: "result" }>;
type Said = readonly Exclude<SentBlock, Result>[];

function answerMessage({ blocks }: WireMessage): SentMessage {
  const thinking = blocks.flatMap((block) => (block.kind === "thinking" ? [thoughtOf(block)] : []));
  const calls = blocks.flatMap((block) =>
    block.kind === "call" ? [{ callId: block.id, tool: block.name, args: JSON.parse(block.args) }] : [],
  );
  return {
    ...{ role: "assistant", text: textOf(blocks) },
    ...(thinking.length === 0 ? {} : { thinking }),
    ...(calls.length === 0 ? {} : { calls }),
  };
}

const thoughtOf = ({ text, signature }: Extract<SentBlock, { kind: "thinking" }>) => ({
  text,
  ...(signature === undefined ? {} : { signature }),
});

/** Anthropic's messages of the user hold results, too: each is a message of its own. */
function partsOf({ blocks }: WireMessage): readonly (Result | Said)[] {
  const parts: (Result | Said)[] = [];
  for (const block of blocks) {
    const last = parts.at(-1);
    if (block.kind === "result") parts.push(block);
    else if (Array.isArray(last)) parts[parts.length - 1] = [...last, block];
    else parts.push([block]);
  }
  return parts;
}

/** What Pi writes over pictures that chat completions cannot have in a result. */
const picturesAbove = "Attached image(s) from tool result:";
/** What Pi writes for an output without a character, which OpenAI's formats cannot have. */
const emptyOutput = "(no tool output)";

function addPart(messages: SentMessage[], part: Result | Said): void {
  if ("kind" in part) {
    const { id: callId, images, isError: failed } = part;
    const text = part.text === emptyOutput ? "" : part.text;
    const result = { role: "tool", callId, text, ...(failed === undefined ? {} : { failed }) } as const;
    messages.push({ ...result, ...pictures(images.map(({ data }) => data)) });
    return;
  }
  const images = part.flatMap((block) => (block.kind === "image" ? [block.data] : []));
  const [last, text] = [messages.at(-1), textOf(part)];
  if (last?.role === "tool" && text === picturesAbove) messages[messages.length - 1] = { ...last, ...pictures(images) };
  else messages.push({ role: "user", text, ...pictures(images) });
}

const textOf = (blocks: readonly SentBlock[]): string =>
  blocks.flatMap((block) => (block.kind === "text" ? [block.text] : [])).join("\n");

function pictures(images: readonly string[]): Pick<SentMessage, "images"> {
  return images.length === 0 ? {} : { images: images.map((data) => sha256(Buffer.from(data, "base64"))) };
}
