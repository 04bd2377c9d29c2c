import type { StepChain } from "@cm/governance";
import type { Session } from "@cm/session";
import type { ThreadMessage } from "@cm/workspace";
import type { AgentEvent } from "@earendil-works/pi-agent-core";
import type { Message } from "@earendil-works/pi-ai";
import { textOf, tokensIn } from "../agent/pi-messages.ts";

export interface RecordedCall {
  readonly object: string;
  readonly text: string;
}

type Log = ReturnType<Session["view"]>["log"];

/** What one task adds to its session's thread, as it is said. */
export class TaskThread {
  readonly #messages: ThreadMessage[] = [];
  readonly #now: () => number;
  readonly #callOf = new Map<string, string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** What a task said before a crash, from the session's log. @returns in how many steps */
  recall(log: Log, { taskId, prompt }: { readonly taskId: string; readonly prompt: string }): number {
    const from = log.findLastIndex((entry) => entry.kind === "user" && entry.text === prompt);
    let step = 0;
    for (const entry of from < 0 ? [] : log.slice(from)) {
      if (entry.kind === "assistant") step += 1;
      const common = { taskId, stepId: `step-${Math.max(1, step)}`, at: this.#now() };
      const messageId = `${taskId}.before.${this.#messages.length + 1}`;
      if (entry.kind === "user" || entry.kind === "assistant")
        this.#messages.push({ ...common, messageId, role: entry.kind, content: entry.text });
      if (entry.kind === "result") this.#messages.push({ ...common, messageId, role: "tool", object: entry.object });
    }
    return step;
  }

  saw(event: AgentEvent, chain: StepChain): void {
    if (event.type !== "message_end") return;
    const message = event.message as Message;
    // An answer that was broken off belongs to no step.
    if (message.role === "assistant" && (message.stopReason === "aborted" || message.stopReason === "error")) return;
    if (message.role !== "user" && message.role !== "assistant" && message.role !== "toolResult") return;
    const { taskId, stepId } = chain;
    const messageId = `${taskId}.${this.#messages.length + 1}`;
    // As the session has it, and as records take it.
    const content = (typeof message.content === "string" ? message.content : textOf(message.content)).toWellFormed();
    if (message.role === "toolResult") this.#callOf.set(messageId, message.toolCallId);
    const tokens = message.role === "assistant" ? { tokenCount: tokensIn(message.usage).output } : {};
    const role = message.role === "toolResult" ? "tool" : message.role;
    this.#messages.push({ messageId, role, content, taskId, stepId, at: this.#now(), ...tokens });
  }

  /** @param recorded tool calls of the session by call id: a text that stands there stands there alone */
  messages(recorded: ReadonlyMap<string, RecordedCall>): readonly ThreadMessage[] {
    return this.#messages.map((message) => {
      const call = recorded.get(this.#callOf.get(message.messageId) ?? "");
      if (call === undefined || call.text !== message.content) return message;
      const { content: _there, ...rest } = message;
      return { ...rest, object: call.object };
    });
  }
}
