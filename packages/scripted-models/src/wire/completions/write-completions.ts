import { defined } from "@cm/object-model";
import { type AnswerEvents, argsText, deltas, outputTokens, type StreamEvent, type ToWrite } from "../answer-events.ts";

/** An answer as the stream of OpenAI's chat completions. */
export function writeCompletions(write: ToWrite): AnswerEvents {
  const { given, answer, tokens, model } = write;
  const named = { id: `chatcmpl-${given.index}`, created: 1_700_000_000, model };
  const head = { ...named, object: "chat.completion.chunk" };
  const chunk = (delta: object, finish_reason: string | null = null): StreamEvent => ({
    data: { ...head, choices: [{ index: 0, delta, finish_reason }] },
  });
  const stop = answer.stop ?? (given.calls.length > 0 ? "tool_calls" : "stop");
  const prompt = tokens.input + tokens.cacheRead + tokens.cacheWrite;
  const output = outputTokens(write);
  const usage = {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: tokens.cacheRead },
  };
  return {
    open: [
      chunk({ role: "assistant", content: "" }),
      ...deltas(given.thinking ?? "").map((reasoning_content) => chunk({ reasoning_content })),
      ...deltas(given.text).map((content) => chunk({ content })),
    ],
    rest: [
      ...given.calls.flatMap(({ id, name, args }, index) => [
        chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
        ...deltas(argsText(args)).map((text) => chunk({ tool_calls: [{ index, function: { arguments: text } }] })),
      ]),
      chunk({}, stop),
      ...(answer.usage === "none" ? [] : [{ data: { ...head, choices: [], usage } }]),
      { data: "[DONE]" },
    ],
    whole: {
      ...{ ...named, object: "chat.completion" },
      choices: [{ index: 0, finish_reason: stop, message: messageOf(given) }],
      ...(answer.usage === "none" ? {} : { usage }),
    },
  };
}

const messageOf = ({ thinking, text, calls }: ToWrite["given"]): object => ({
  role: "assistant",
  content: text === "" ? null : text,
  ...defined({ reasoning_content: thinking }),
  ...(calls.length === 0 ? {} : { tool_calls: calls.map(callOf) }),
});

const callOf = ({ id, name, args }: ToWrite["given"]["calls"][number]): object => ({
  ...{ id, type: "function" },
  function: { name, arguments: argsText(args) },
});
