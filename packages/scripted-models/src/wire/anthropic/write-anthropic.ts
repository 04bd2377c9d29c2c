import { type AnswerEvents, argsText, deltas, outputTokens, type StreamEvent, type ToWrite } from "../answer-events.ts";

/** An answer as the stream of Anthropic's Messages. */
export function writeAnthropic(write: ToWrite): AnswerEvents {
  const { given, answer, tokens, model } = write;
  const counted = answer.usage !== "none";
  const usage = {
    input_tokens: counted ? tokens.input : 0,
    cache_read_input_tokens: counted ? tokens.cacheRead : 0,
    cache_creation_input_tokens: counted ? tokens.cacheWrite : 0,
    output_tokens: 0,
  };
  const message = { id: `msg_${given.index}`, type: "message", role: "assistant", model };
  const said = [...thinkingOf(given), ...textOf(given.text)];
  const calls = given.calls.map(({ id, name, args }) => ({
    start: { type: "tool_use", id, name, input: {} },
    deltas: deltas(argsText(args)).map((partial_json) => ({ type: "input_json_delta", partial_json })),
  }));
  const stop = answer.stop === "length" ? "max_tokens" : calls.length > 0 ? "tool_use" : "end_turn";
  return {
    open: [
      event("message_start", { message: { ...message, content: [], usage } }),
      ...said.flatMap((block, index) => blockEvents(block, index)),
    ],
    rest: [
      ...calls.flatMap((block, index) => blockEvents(block, said.length + index)),
      event("message_delta", {
        delta: { stop_reason: stop, stop_sequence: null },
        usage: counted ? { output_tokens: outputTokens(write) } : {},
      }),
      event("message_stop", {}),
    ],
    whole: {
      ...message,
      content: blocksOf(given),
      stop_reason: stop,
      stop_sequence: null,
      ...(counted ? { usage: { ...usage, output_tokens: outputTokens(write) } } : {}),
    },
  };
}

/** Arguments that are no JSON have no place in a whole answer: they are left out. */
function blocksOf({ thinking, signature, text, calls }: ToWrite["given"]): readonly object[] {
  return [
    ...(thinking === undefined ? [] : [{ type: "thinking", thinking, signature }]),
    ...(text === "" ? [] : [{ type: "text", text }]),
    ...calls.map(({ id, name, args }) => ({ type: "tool_use", id, name, input: typeof args === "string" ? {} : args })),
  ];
}

interface Block {
  readonly start: object;
  readonly deltas: readonly object[];
}

function thinkingOf({ thinking, signature }: ToWrite["given"]): Block[] {
  if (thinking === undefined) return [];
  const said = deltas(thinking).map((text) => ({ type: "thinking_delta", thinking: text }));
  return [
    {
      start: { type: "thinking", thinking: "", signature: "" },
      deltas: [...said, { type: "signature_delta", signature }],
    },
  ];
}

const textOf = (text: string): Block[] =>
  text === ""
    ? []
    : [{ start: { type: "text", text: "" }, deltas: deltas(text).map((each) => ({ type: "text_delta", text: each })) }];

const blockEvents = (block: Block, index: number): StreamEvent[] => [
  event("content_block_start", { index, content_block: block.start }),
  ...block.deltas.map((delta) => event("content_block_delta", { index, delta })),
  event("content_block_stop", { index }),
];

const event = (name: string, data: object): StreamEvent => ({ name, data: { type: name, ...data } });
