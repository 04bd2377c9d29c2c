import { type AnswerEvents, argsText, deltas, outputTokens, type StreamEvent, type ToWrite } from "../answer-events.ts";

/** An answer as the stream of OpenAI's responses. */
export function writeResponses(write: ToWrite): AnswerEvents {
  const { given, answer, model } = write;
  const said = [...reasoningOf(write), ...messageOf(write)];
  const calls = given.calls.map(({ id, name, args }, index): Item => {
    const item = { type: "function_call", id: `fc_${given.index}_${index}`, call_id: id, name };
    return {
      added: { ...item, arguments: "", status: "in_progress" },
      deltas: deltas(argsText(args)).map((delta) => ["response.function_call_arguments.delta", { delta }]),
      done: { ...item, arguments: argsText(args), status: "completed" },
    };
  });
  const cut = answer.stop === "length";
  const head = { id: `resp_${given.index}`, object: "response", created_at: 1_700_000_000, model };
  const response = {
    ...head,
    status: cut ? "incomplete" : "completed",
    ...(cut ? { incomplete_details: { reason: "max_output_tokens" } } : {}),
    output: [...said, ...calls].map(({ done }) => done),
    ...(answer.usage === "none" ? {} : { usage: usageOf(write) }),
  };
  return {
    open: [
      event("response.created", { response: { ...head, status: "in_progress", output: [] } }),
      ...said.flatMap((item, index) => itemEvents(item, index)),
    ],
    rest: [
      ...calls.flatMap((item, index) => itemEvents(item, said.length + index)),
      event(cut ? "response.incomplete" : "response.completed", { response }),
    ],
    whole: response,
  };
}

interface Item {
  readonly added: object;
  readonly deltas: readonly (readonly [name: string, data: object])[];
  readonly done: object;
}

function reasoningOf({ given: { index, thinking, signature } }: ToWrite): Item[] {
  if (thinking === undefined) return [];
  const item = { type: "reasoning", id: `rs_${index}` };
  return [
    {
      added: { ...item, summary: [] },
      deltas: deltas(thinking).map((delta) => ["response.reasoning_summary_text.delta", { summary_index: 0, delta }]),
      done: {
        ...item,
        summary: [{ type: "summary_text", text: thinking }],
        encrypted_content: signature,
      },
    },
  ];
}

function messageOf({ given: { index, text } }: ToWrite): Item[] {
  if (text === "") return [];
  const item = { type: "message", id: `msg_${index}`, role: "assistant" };
  return [
    {
      added: { ...item, content: [], status: "in_progress" },
      deltas: deltas(text).map((delta) => ["response.output_text.delta", { content_index: 0, delta }]),
      done: { ...item, content: [{ type: "output_text", text, annotations: [] }], status: "completed" },
    },
  ];
}

const itemEvents = (item: Item, output_index: number): StreamEvent[] => [
  event("response.output_item.added", { output_index, item: item.added }),
  ...item.deltas.map(([name, data]) => event(name, { output_index, ...data })),
  event("response.output_item.done", { output_index, item: item.done }),
];

function usageOf(write: ToWrite): object {
  const { input, cacheRead, cacheWrite } = write.tokens;
  const output = outputTokens(write);
  return {
    input_tokens: input + cacheRead + cacheWrite,
    input_tokens_details: { cached_tokens: cacheRead },
    output_tokens: output,
    total_tokens: input + cacheRead + cacheWrite + output,
  };
}

const event = (name: string, data: object): StreamEvent => ({ name, data: { type: name, ...data } });
