import type { IncomingAssistant, IncomingAttachment, PromptMessage, RenderedPrompt, Usage } from "@cm/context-log";
import { type AttachmentRef, defined, type JsonObject, type Thinking, wholeTokens } from "@cm/object-model";
import type {
  Api,
  AssistantMessage,
  ImageContent,
  Message,
  Model,
  Usage as PiUsage,
  TextContent,
  ToolCall,
} from "@earendil-works/pi-ai";

export type PictureOf = (attachment: AttachmentRef) => ImageContent | undefined;

/** What messages are made with. */
export interface Sending {
  readonly model: Model<Api>;
  readonly pictureOf: PictureOf;
  /** Answers that another model gave, by their places in the log: Pi sends of them what any model takes. */
  readonly ofOthers: ReadonlyMap<number, string>;
}

/** A prompt's messages as Pi sends them. Calls keep their order behind text and thinking, as the session has them. */
export function piMessages({ messages }: RenderedPrompt, { model, pictureOf, ofOthers }: Sending): Message[] {
  const toolOf = new Map<string, string>();
  return behindCalls(messages).map((message): Message => {
    for (const { callId, tool } of message.calls ?? []) toolOf.set(callId, tool);
    switch (message.role) {
      case "assistant":
        return assistantMessage(message, answererOf(message, model, ofOthers));
      case "tool":
        return {
          role: "toolResult",
          toolCallId: message.callId ?? "",
          toolName: toolOf.get(message.callId ?? "") ?? "unknown",
          content: contentOf(message, pictureOf),
          isError: message.failed === true,
          timestamp: 0,
        };
      case "user":
        return { role: "user", content: contentOf(message, pictureOf), timestamp: 0 };
    }
    throw new RangeError(`A prompt has no message of the role ${message.role satisfies never}.`);
  });
}

/** Providers take a result behind its call alone: where a person spoke before it came, it goes up to its call. Calls may share an id. */
function behindCalls(messages: readonly PromptMessage[]): readonly PromptMessage[] {
  const ordered: PromptMessage[] = [];
  let open: string[] = [];
  let place = 0;
  for (const message of messages) {
    const call = message.role === "tool" ? open.indexOf(message.callId ?? "") : -1;
    const isAwaited = call >= 0;
    if (isAwaited) open.splice(call, 1);
    if (isAwaited) ordered.splice(place, 0, message);
    else ordered.push(message);
    if (message.role === "assistant") open = (message.calls ?? []).map(({ callId }) => callId);
    if (isAwaited) place += 1;
    else if (message.role === "assistant") place = ordered.length;
  }
  return ordered;
}

const noCost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const noUsage: PiUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: noCost };

type Answerer = Pick<AssistantMessage, "api" | "provider" | "model">;

/** A message's id begins with its place in the log. */
function answererOf({ id }: PromptMessage, model: Model<Api>, ofOthers: Sending["ofOthers"]): Answerer {
  const other = ofOthers.get(Number.parseInt(id, 10));
  if (other === undefined) return { api: model.api, provider: model.provider, model: model.id };
  const slash = other.indexOf("/");
  return { api: "unknown", provider: other.slice(0, slash), model: other.slice(slash + 1) };
}

function assistantMessage({ text, thinking = [], calls = [] }: PromptMessage, answerer: Answerer): AssistantMessage {
  return {
    role: "assistant",
    content: [
      ...thinking.map(({ text: thought, signature, redacted }) => ({
        type: "thinking" as const,
        thinking: thought,
        ...defined({ thinkingSignature: signature, redacted }),
      })),
      ...(text === "" ? [] : [{ type: "text" as const, text }]),
      ...calls.map(({ callId, tool, args }) => ({
        type: "toolCall" as const,
        id: callId,
        name: tool,
        arguments: args as never,
      })),
    ],
    ...answerer,
    usage: noUsage,
    stopReason: calls.length > 0 ? "toolUse" : "stop",
    timestamp: 0,
  };
}

function contentOf({ text, attachments = [] }: PromptMessage, pictureOf: PictureOf): (TextContent | ImageContent)[] {
  const pictures = attachments.flatMap((attachment) => pictureOf(attachment) ?? []);
  return text === "" && pictures.length > 0 ? pictures : [{ type: "text", text }, ...pictures];
}

/** An answer of the model as the session records it. */
export function incomingAnswer({ content, stopReason }: AssistantMessage, model: string): IncomingAssistant {
  return {
    role: "assistant",
    text: textOf(content),
    thinking: content.flatMap((block): readonly Thinking[] => {
      if (block.type === "toolCall")
        return block.thoughtSignature === undefined ? [] : [{ text: "", signature: block.thoughtSignature }];
      if (block.type !== "thinking") return [];
      const { thinking: text, thinkingSignature: signature, redacted } = block;
      return [{ text, ...defined({ signature }), ...(redacted === true ? { redacted } : {}) }];
    }),
    calls: content.flatMap((block) =>
      block.type === "toolCall" ? [{ callId: block.id, tool: block.name, args: argsOf(block) }] : [],
    ),
    model,
    stopReason,
  };
}

/** A model may give `null` for arguments, or a list, where an object is meant: its tool refuses them. */
export const argsOf = ({ arguments: args }: Pick<ToolCall, "arguments">): JsonObject => ({ ...args });

/** Tokens of one request, as records and figures take them. */
export const tokensIn = ({ input, output, cacheRead, cacheWrite }: PiUsage): Usage => ({
  ...{ input: wholeTokens(input), output: wholeTokens(output) },
  ...{ cacheRead: wholeTokens(cacheRead), cacheWrite: wholeTokens(cacheWrite) },
});

/** The same, undefined where the provider told none. */
export function usageOf(told: PiUsage): Usage | undefined {
  const tokens = tokensIn(told);
  return Object.values(tokens).every((count) => count === 0) ? undefined : tokens;
}

export const textOf = (content: readonly { readonly type: string; readonly text?: string }[]): string =>
  content.flatMap(({ type, text = "" }) => (type === "text" ? [text] : [])).join("\n");

export function attachmentsOf(
  content: readonly (TextContent | ImageContent | { readonly type: string })[],
): readonly IncomingAttachment[] {
  return content.flatMap((block) =>
    block.type === "image"
      ? [{ mime: (block as ImageContent).mimeType, data: Buffer.from((block as ImageContent).data, "base64") }]
      : [],
  );
}
