import type { PromptMessage } from "@cm/context-log";
import { defined, nonEmpty, type Thinking } from "@cm/object-model";
import { z } from "zod";
import { limits } from "../../limits.ts";
import { turnsOf } from "../turns.ts";
import { below, type Wire, type WireRequest } from "../wire.ts";

interface Block {
  readonly type: string;
  readonly [member: string]: unknown;
  cache_control?: { readonly type: "ephemeral" };
}

/** Anthropic's Messages: blocks, alternating roles, and caching where it is asked for. */
export const anthropic: Wire = {
  address: (base) => below(base, base.pathname.replace(/\/+$/, "").endsWith("/v1") ? "/messages" : "/v1/messages"),
  headers: (key) => ({ "anthropic-version": "2023-06-01", ...defined({ "x-api-key": key }) }),
  body(request) {
    const { prompt, model, tools, outputTokensMax, extra } = request;
    const blocks = new Map<PromptMessage, readonly Block[]>();
    const put = (message: PromptMessage, made: readonly Block[]): readonly Block[] => {
      blocks.set(message, made);
      return made;
    };
    const messages = turnsOf(prompt).flatMap(({ answer, results, said }) => {
      const asked = answer === undefined ? [] : put(answer, answerBlocks(answer));
      const told = [
        ...results.map((message) => put(message, [resultBlock(message, request)])),
        ...said.map((message) => put(message, saidBlocks(message, request))),
      ].flat();
      return [
        ...(asked.length === 0 ? [] : [{ role: "assistant", content: asked }]),
        ...(told.length === 0 ? [] : [{ role: "user", content: told }]),
      ];
    });
    const system: Block[] = prompt.system === "" ? [] : [{ type: "text", text: prompt.system }];
    for (const place of (prompt.breakpoints ?? [prompt.messages.length]).slice(-limits.marksMax)) {
      mark(place === 0 ? system : markable(prompt.messages.slice(0, place), blocks));
    }
    return JSON.stringify({
      ...extra,
      model,
      max_tokens: outputTokensMax,
      ...nonEmpty({ system }),
      tools: tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })),
      messages,
    });
  },
  answer: (json) => toAnswer(answerShape.parse(json)),
};

/** The newest message up to a place that has a block which may carry a mark. */
function markable(messages: readonly PromptMessage[], blocks: ReadonlyMap<PromptMessage, readonly Block[]>) {
  for (const message of messages.toReversed()) {
    const able = blocks.get(message)?.filter(({ type }) => !type.endsWith("thinking")) ?? [];
    if (able.length > 0) return able;
  }
  return [];
}

function mark(blocks: readonly Block[]): void {
  const last = blocks.at(-1);
  if (last !== undefined) last.cache_control = { type: "ephemeral" };
}

/** An empty text block is refused. */
const textBlocks = (text: string): readonly Block[] => (text.trim() === "" ? [] : [{ type: "text", text }]);

function answerBlocks({ text, thinking = [], calls = [] }: PromptMessage): readonly Block[] {
  return [
    ...thinking.flatMap(thinkingBlock),
    ...textBlocks(text),
    ...calls.map(({ callId, tool, args }) => ({ type: "tool_use", id: callId, name: tool, input: args })),
  ];
}

/** As it came. Without a signature it is another provider's, and would be refused. */
function thinkingBlock({ text, signature, redacted }: Thinking): readonly Block[] {
  if (signature === undefined) return [];
  if (redacted === true) return [{ type: "redacted_thinking", data: signature }];
  return [{ type: "thinking", thinking: text, signature }];
}

function resultBlock(message: PromptMessage, request: WireRequest): Block {
  const content = saidBlocks(message, request);
  return {
    type: "tool_result",
    tool_use_id: message.callId,
    ...nonEmpty({ content }),
    ...(message.failed === true ? { is_error: true } : {}),
  };
}

function saidBlocks({ text, attachments = [] }: PromptMessage, { image }: WireRequest): readonly Block[] {
  const images = attachments.map((attachment) => ({
    type: "image",
    source: { type: "base64", media_type: attachment.mime, data: image(attachment) },
  }));
  return [...textBlocks(text), ...images];
}

const count = z.int().min(0).nullish();
const answerShape = z.object({
  model: z.string().optional(),
  stop_reason: z.string().nullish(),
  content: z.array(
    z.union([
      z.object({ type: z.literal("text"), text: z.string() }),
      z.object({ type: z.literal("thinking"), thinking: z.string(), signature: z.string() }),
      z.object({ type: z.literal("redacted_thinking"), data: z.string() }),
      z.object({
        type: z.literal("tool_use"),
        id: z.string().min(1),
        name: z.string(),
        input: z.record(z.string(), z.json()),
      }),
    ]),
  ),
  usage: z.object({
    input_tokens: z.int().min(0),
    output_tokens: z.int().min(0),
    cache_read_input_tokens: count,
    cache_creation_input_tokens: count,
  }),
});

function toAnswer({ content, model, stop_reason, usage }: z.infer<typeof answerShape>) {
  return {
    message: {
      role: "assistant" as const,
      text: content.map((block) => (block.type === "text" ? block.text : "")).join(""),
      thinking: content.flatMap((block): Thinking[] => {
        if (block.type === "thinking") return [{ text: block.thinking, signature: block.signature }];
        return block.type === "redacted_thinking" ? [{ text: "", signature: block.data, redacted: true }] : [];
      }),
      calls: content.flatMap((block) =>
        block.type === "tool_use" ? [{ callId: block.id, tool: block.name, args: block.input }] : [],
      ),
      ...defined({ model }),
      ...(stop_reason ? { stopReason: stop_reason } : {}),
    },
    usage: {
      input: usage.input_tokens,
      output: usage.output_tokens,
      cacheRead: usage.cache_read_input_tokens ?? 0,
      cacheWrite: usage.cache_creation_input_tokens ?? 0,
    },
  };
}
