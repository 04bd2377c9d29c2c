import type { PromptMessage } from "@cm/context-log";
import { defined, type JsonObject, nonEmpty, type Thinking } from "@cm/object-model";
import { z } from "zod";
import { turnsOf } from "../turns.ts";
import { below, type Wire, type WireRequest } from "../wire.ts";

/** OpenAI's chat completions, as many servers speak them. The provider finds the cached prefix by itself. */
export const openai: Wire = {
  address: (base) => below(base, "/chat/completions"),
  headers: (key): Record<string, string> => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  body(request) {
    const { prompt, model, tools, outputTokensMax, seed, extra } = request;
    const messages = turnsOf(prompt).flatMap(({ answer, results, said }) => [
      ...(answer === undefined ? [] : [answerMessage(answer)]),
      ...results.map(({ callId, text }) => ({ role: "tool", tool_call_id: callId, content: text })),
      // A message of role tool carries no images: they follow it as the user's.
      ...results.filter(({ attachments = [] }) => attachments.length > 0).map((result) => imagesOf(result, request)),
      ...said.map((message) => saidMessage(message, request)),
    ]);
    return JSON.stringify({
      // Newer models of OpenAI accept only this name.
      ...("max_completion_tokens" in extra ? {} : { max_tokens: outputTokensMax }),
      ...extra,
      model,
      ...defined({ seed }),
      messages: [...(prompt.system === "" ? [] : [{ role: "system", content: prompt.system }]), ...messages],
      tools: tools.map((tool) => ({ type: "function", function: { ...tool } })),
    });
  },
  answer: (json) => toAnswer(answerShape.parse(json)),
};

function answerMessage({ text, thinking = [], calls = [] }: PromptMessage) {
  const reasoning = thinking.map((part) => part.text).join("");
  return {
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
    // Servers that gave it want it back with the calls that it led to; others pass it over.
    ...nonEmpty({ reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(toolCall) }),
  };
}

const toolCall = ({ callId, tool, args }: { callId: string; tool: string; args: JsonObject }) => ({
  id: callId,
  type: "function",
  function: { name: tool, arguments: JSON.stringify(args) },
});

function saidMessage(message: PromptMessage, request: WireRequest) {
  const { text, attachments = [] } = message;
  if (attachments.length === 0) return { role: "user", content: text };
  const parts = text === "" ? [] : [{ type: "text", text }];
  return { role: "user", content: [...parts, ...imageParts(message, request)] };
}

function imagesOf(result: PromptMessage, request: WireRequest) {
  const about = { type: "text", text: `Images of the result ${result.callId ?? ""}:` };
  return { role: "user", content: [about, ...imageParts(result, request)] };
}

const imageParts = ({ attachments = [] }: PromptMessage, { image }: WireRequest) =>
  attachments.map((attachment) => ({
    type: "image_url",
    image_url: { url: `data:${attachment.mime};base64,${image(attachment)}` },
  }));

const count = z.int().min(0).nullish();
const answerShape = z.object({
  model: z.string().nullish(),
  choices: z.tuple(
    [
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({
          content: z.string().nullish(),
          reasoning_content: z.string().nullish(),
          tool_calls: z
            .array(
              z.object({
                id: z.string().min(1),
                function: z.object({ name: z.string(), arguments: z.string() }),
              }),
            )
            .nullish(),
        }),
      }),
    ],
    z.unknown(),
  ),
  usage: z.object({
    prompt_tokens: z.int().min(0),
    completion_tokens: z.int().min(0),
    prompt_tokens_details: z.object({ cached_tokens: count }).nullish(),
    prompt_cache_hit_tokens: count,
  }),
});

function toAnswer({ model, choices: [{ message, finish_reason }], usage }: z.infer<typeof answerShape>) {
  const { content, reasoning_content: reasoning, tool_calls: calls } = message;
  const cached = usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? 0;
  const thinking: Thinking[] = reasoning ? [{ text: reasoning }] : [];
  return {
    message: {
      role: "assistant" as const,
      text: content ?? "",
      thinking,
      calls: (calls ?? []).map(({ id, function: { name, arguments: text } }) => ({
        callId: id,
        tool: name,
        args: argsOf(text),
      })),
      ...(model ? { model } : {}),
      ...(finish_reason ? { stopReason: finish_reason } : {}),
    },
    usage: {
      input: Math.max(0, usage.prompt_tokens - cached),
      output: usage.completion_tokens,
      cacheRead: cached,
      cacheWrite: 0,
    },
  };
}

const argsShape = z.record(z.string(), z.json());

/** Arguments are text that the model wrote. What is no object is kept, so that the tool can say so to the model. */
function argsOf(text: string): JsonObject {
  try {
    return argsShape.parse(JSON.parse(text === "" ? "{}" : text)) as JsonObject;
  } catch {
    return { malformed: text };
  }
}
