import type { StepChain } from "@cm/governance";
import type { ThreadMessage } from "@cm/workspace";
import type { AgentEvent } from "@earendil-works/pi-agent-core";
import type { AssistantMessage, Message } from "@earendil-works/pi-ai";
import { textOf } from "../agent/pi-messages.ts";

export interface RecordedCall {
  readonly object: string;
  readonly text: string;
}

/** What one task adds to its session's thread, as it is said. */
export class TaskThread {
  readonly #messages: ThreadMessage[] = [];
  readonly #now: () => number;
  readonly #callOf = new Map<string, string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  saw(event: AgentEvent, chain: StepChain): void {
    if (event.type !== "message_end") return;
    const message = event.message as Message;
    // An answer that was broken off is nobody's.
    if (message.role === "assistant" && (message.stopReason === "aborted" || message.stopReason === "error")) return;
    if (message.role !== "user" && message.role !== "assistant" && message.role !== "toolResult") return;
    const { taskId, stepId } = chain;
    const messageId = `${taskId}.${this.#messages.length + 1}`;
    const content = typeof message.content === "string" ? message.content : textOf(message.content);
    if (message.role === "toolResult") this.#callOf.set(messageId, message.toolCallId);
    const tokens = message.role === "assistant" ? { tokenCount: tokensOf(message) } : {};
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

const tokensOf = ({ usage }: AssistantMessage): number => usage.output;
