import { defined, type Usage } from "@cm/object-model";
import type { ScriptedAnswer } from "./script.ts";
import { signatureOf } from "./signature.ts";

export interface AnswerFacts {
  readonly usage: Usage;
  /** Answers before this one, so that ids of calls differ. */
  readonly answers: number;
}

export function messagesAnswer({ text, thinking, calls }: ScriptedAnswer, { usage, answers }: AnswerFacts) {
  return {
    ...{ id: `msg_${answers}`, type: "message", role: "assistant", model: "scripted" },
    content: [
      ...(thinking === undefined ? [] : [{ type: "thinking", thinking, signature: signatureOf(thinking) }]),
      ...(text === "" ? [] : [{ type: "text", text }]),
      ...calls.map(({ tool, args }, index) => ({
        type: "tool_use",
        id: idOf(answers, index),
        name: tool,
        input: args,
      })),
    ],
    stop_reason: calls.length === 0 ? "end_turn" : "tool_use",
    usage: {
      input_tokens: usage.input,
      output_tokens: usage.output,
      cache_read_input_tokens: usage.cacheRead,
      cache_creation_input_tokens: usage.cacheWrite,
    },
  };
}

export function chatAnswer({ text, thinking, calls }: ScriptedAnswer, { usage, answers }: AnswerFacts) {
  return {
    ...{ id: `chatcmpl-${answers}`, object: "chat.completion", model: "scripted" },
    choices: [
      {
        index: 0,
        finish_reason: calls.length === 0 ? "stop" : "tool_calls",
        message: {
          role: "assistant",
          content: text === "" ? null : text,
          ...defined({ reasoning_content: thinking }),
          ...(calls.length === 0
            ? {}
            : {
                tool_calls: calls.map(({ tool, args }, index) => ({
                  ...{ id: idOf(answers, index), type: "function" },
                  function: { name: tool, arguments: JSON.stringify(args) },
                })),
              }),
        },
      },
    ],
    usage: {
      prompt_tokens: usage.input + usage.cacheRead,
      completion_tokens: usage.output,
      prompt_tokens_details: { cached_tokens: usage.cacheRead },
    },
  };
}

const idOf = (answers: number, index: number): string => `call_${answers}_${index}`;
