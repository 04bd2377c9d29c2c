import type { ContextEvent } from "@earendil-works/pi-coding-agent";

export type AgentMessage = ContextEvent["messages"][number];

type Assistant = Extract<AgentMessage, { role: "assistant" }>;
type Result = Extract<AgentMessage, { role: "toolResult" }>;
type User = Extract<AgentMessage, { role: "user" }>;

/** About 3,000 characters of code. */
export function fileText(n: number): string {
  return Array.from({ length: 50 }, (_, line) => {
    return `export const value${line} = compute(${n}, ${line * 7}, "part ${(n * line) % 97}");`;
  }).join("\n");
}

export const promptOf = (step: number): User => ({
  ...{ role: "user", timestamp: step },
  content: [{ type: "text", text: `Step ${step}: go on with the next part, and say what you find.` }],
});

const pathOf = (step: number, files: number): string => {
  const n = (step * 7) % files;
  return `part-${n % 10}/file-${n}.ts`;
};

/** One file is read and one command run. */
export function answerOf(step: number, files: number): Assistant {
  return answer(step, [
    call(`read_${step}`, "read", { path: pathOf(step, files) }),
    call(`bash_${step}`, "bash", { command: `grep -n value${step % 50} part-${step % 10}` }),
  ]);
}

/** The model is done: its answer has no calls. */
export const lastAnswerOf = (step: number): Assistant => ({ ...answer(step, []), stopReason: "stop" });

const call = (id: string, name: string, args: Record<string, string>) => ({
  ...{ type: "toolCall" as const, id, name, arguments: args },
});

function answer(step: number, calls: readonly ReturnType<typeof call>[]): Assistant {
  return {
    ...{ role: "assistant", api: "anthropic-messages", provider: "bench", model: "model", stopReason: "toolUse" },
    content: [{ type: "text", text: `I look at step ${step}.` }, ...calls],
    usage: {
      ...{ input: 100, output: 60, cacheRead: 9_000, cacheWrite: 900, totalTokens: 10_060 },
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    timestamp: step,
  };
}

export function resultsOf(step: number, files: number): readonly Result[] {
  const result = (toolCallId: string, toolName: string, text: string): Result => ({
    ...{ role: "toolResult", toolCallId, toolName, content: [{ type: "text", text }], isError: false, timestamp: step },
  });
  const found = Array.from({ length: 12 }, (_, line) => `file-${line}.ts:${line}: value${step % 50} of step ${step}`);
  return [
    result(`read_${step}`, "read", fileText((step * 7) % files)),
    result(`bash_${step}`, "bash", found.join("\n")),
  ];
}

/** A request as Anthropic gets it, as far as the extension looks at it. */
export function payloadOf(messages: readonly AgentMessage[]): object {
  const mark = { cache_control: { type: "ephemeral" } };
  const wire: { role: string; content: object[] }[] = [];
  for (const message of messages) {
    const role = message.role === "assistant" ? "assistant" : "user";
    if (message.role === "toolResult") {
      const result = {
        type: "tool_result",
        tool_use_id: message.toolCallId,
        content: message.content,
        is_error: false,
      };
      if (wire.at(-1)?.role === "user") wire.at(-1)?.content.push(result);
      else wire.push({ role, content: [result] });
    } else if (message.role === "assistant") {
      const content = message.content.map((block) =>
        block.type === "toolCall"
          ? { type: "tool_use", id: block.id, name: block.name, input: block.arguments }
          : block,
      );
      wire.push({ role, content });
    } else if (message.role === "user") {
      wire.push({ role, content: typeof message.content === "string" ? [] : [...message.content] });
    }
  }
  const last = wire.at(-1);
  const block = last?.content.pop();
  if (block !== undefined) last?.content.push({ ...block, ...mark });
  return { model: "model", system: [{ type: "text", text: "You are an expert.", ...mark }], tools: [], messages: wire };
}
