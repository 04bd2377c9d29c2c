import type { PromptMessage } from "@cm/context-log";

/** Requests as Pi 0.87.1 writes them, marks included: in the order and with the additions that were seen there. */
export interface WireOptions {
  /** A login with a subscription puts a line of its own before the system prompt. */
  readonly subscription?: boolean;
  readonly ttl?: "1h";
  /** Messages of other extensions, which are at the end of each request anew. */
  readonly behind?: readonly string[];
}

type Block = Record<string, unknown>;

const system = "You are an agent that writes programs. ".repeat(20);
const markOf = ({ ttl }: WireOptions): Block => ({ type: "ephemeral", ...(ttl === undefined ? {} : { ttl }) });

export function anthropicRequest(messages: readonly PromptMessage[], options: WireOptions = {}) {
  const cache_control = markOf(options);
  const login = options.subscription === true ? [{ type: "text", text: "You are a program.", cache_control }] : [];
  return {
    model: "claude",
    max_tokens: 8_192,
    stream: true,
    system: [...login, { type: "text", text: system, cache_control }],
    tools: [{ name: "bash" }, { name: "read", cache_control }],
    messages: withLastMark(anthropicMessages(messages, options.behind ?? []), cache_control),
  };
}

function anthropicMessages(messages: readonly PromptMessage[], behind: readonly string[]) {
  const wire: { role: string; content: string | Block[] }[] = [];
  for (const [place, message] of messages.entries()) {
    const { role, text } = message;
    if (role === "tool") {
      const grouped = messages[place - 1]?.role === "tool" ? wire.at(-1)?.content : undefined;
      if (Array.isArray(grouped)) grouped.push(resultBlock(message));
      else wire.push({ role: "user", content: [resultBlock(message)] });
    } else if (role === "user") {
      const content = [...(text.trim() === "" ? [] : [{ type: "text", text }]), ...picturesOf(message)];
      if (content.length > 0) wire.push({ role: "user", content });
    } else {
      wire.push({ role: "assistant", content: answerBlocks(message) });
    }
  }
  return [...wire, ...behind.map((text) => ({ role: "user", content: [{ type: "text", text }] }))];
}

function resultBlock(message: PromptMessage): Block {
  const pictures = picturesOf(message);
  const content = pictures.length === 0 ? message.text : [{ type: "text", text: message.text }, ...pictures];
  return { type: "tool_result", tool_use_id: message.callId, content, is_error: false };
}

function answerBlocks({ text, thinking = [], calls = [] }: PromptMessage): Block[] {
  return [
    ...thinking.map((thought) => ({ type: "thinking", thinking: thought.text, signature: "c2ln" })),
    ...(text === "" ? [] : [{ type: "text", text }]),
    ...calls.map(({ callId, tool, args }) => ({ type: "tool_use", id: callId, name: tool, input: args })),
  ];
}

const picturesOf = ({ attachments = [] }: PromptMessage): Block[] =>
  attachments.map(() => ({ type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } }));

function withLastMark<Message extends { role: string; content: string | Block[] }>(wire: Message[], mark: Block) {
  const last = wire.at(-1);
  const block = Array.isArray(last?.content) ? last.content.at(-1) : undefined;
  if (last?.role === "user" && block !== undefined) block.cache_control = mark;
  return wire;
}

/** As Pi writes it for a route to Anthropic. */
export function completionsRequest(messages: readonly PromptMessage[], options: WireOptions = {}) {
  const cache_control = markOf(options);
  const behind = (options.behind ?? []).map((text) => ({ role: "user", content: [{ type: "text", text }] }));
  const wire: { role: string; content: unknown }[] = [...completionsMessages(messages), ...behind];
  const place = wire.findLastIndex(({ content }) => textPartOf(content) !== undefined);
  const marked = wire.map((message, index) =>
    index === place ? { ...message, content: markedContent(message.content, cache_control) } : message,
  );
  return {
    model: "anthropic/claude",
    max_tokens: 8_192,
    messages: [{ role: "system", content: [{ type: "text", text: system, cache_control }] }, ...marked],
    tools: [{ type: "function", function: { name: "read" }, cache_control }],
  };
}

function completionsMessages(messages: readonly PromptMessage[]): { role: string; content: unknown }[] {
  return messages.flatMap((message, place): { role: string; content: unknown }[] => {
    const { role, text, calls = [], callId } = message;
    if (role === "assistant") {
      const tool_calls = calls.map(({ callId: id, tool, args }) => ({
        id,
        type: "function",
        function: { name: tool, arguments: JSON.stringify(args) },
      }));
      return [{ role, content: text === "" ? null : text, ...(calls.length === 0 ? {} : { tool_calls }) }];
    }
    if (role === "user") {
      const content = [...(text === "" ? [] : [{ type: "text", text }]), ...imageParts(message)];
      return content.length === 0 ? [] : [{ role, content }];
    }
    const output = { role, content: text === "" ? "(no tool output)" : text, tool_call_id: callId };
    if (messages[place + 1]?.role === "tool") return [output];
    // The pictures of all results follow the last one.
    const first = messages.findLastIndex((other, index) => index <= place && other.role !== "tool") + 1;
    const images = messages.slice(first, place + 1).flatMap(imageParts);
    const head = { type: "text", text: "Attached image(s) from tool result:" };
    return images.length === 0 ? [output] : [output, { role: "user", content: [head, ...images] }];
  });
}

const imageParts = ({ attachments = [] }: PromptMessage): Block[] =>
  attachments.map(() => ({ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }));

function textPartOf(content: unknown): unknown {
  if (typeof content === "string") return content === "" ? undefined : content;
  return Array.isArray(content) ? content.findLast((part: Block) => part.type === "text") : undefined;
}

function markedContent(content: unknown, cache_control: Block): unknown {
  if (typeof content === "string") return [{ type: "text", text: content, cache_control }];
  const last = textPartOf(content);
  return Array.isArray(content)
    ? content.map((part: Block) => (part === last ? { ...part, cache_control } : part))
    : content;
}
