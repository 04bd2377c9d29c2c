import { type AGUIEvent, EventType, type Interrupt } from "@ag-ui/core";
import type { AgentEvent } from "@earendil-works/pi-agent-core";
import type { AssistantMessage, AssistantMessageEvent, ToolResultMessage } from "@earendil-works/pi-ai";
import type { AgentOutcome } from "../agent/agent-outcome.ts";
import type { RunEvent } from "../agent/agent-run.ts";
import { textOf } from "../agent/pi-messages.ts";
import { limits } from "../limits.ts";
import { tokenUsage, usageSnapshot } from "./usage-words.ts";

/** Whose events they are. */
export interface RunNames {
  readonly runId: string;
  readonly conversationId: string;
  readonly parentRunId?: string | undefined;
  /** Tools that the caller brought. AG-UI's clients bring results of their own calls as messages: such a call interrupts nothing. */
  readonly clientTools?: readonly string[] | undefined;
}

/** What is open in the stream, and must be closed before the run ends. */
interface Open {
  readonly close: () => readonly AGUIEvent[];
}

/** The events of one run as AG-UI has them: each message, thought and call begins, goes on and ends. */
export class RunEvents {
  readonly #names: RunNames;
  /** Calls whose results come from outside: what the loop says in their place is none. */
  readonly #awaited = new Set<string>();
  readonly #open = new Map<string, Open>();
  #answers = 0;
  /** The message that the calls of the answer belong to: its first words, or one that its first call begins. */
  #callsIn: string | undefined;
  #steps = 0;
  #inStep = false;

  constructor(names: RunNames) {
    this.#names = names;
  }

  started(): readonly AGUIEvent[] {
    const { runId, conversationId: threadId, parentRunId } = this.#names;
    return [
      {
        type: EventType.RUN_STARTED,
        threadId,
        runId,
        ...(parentRunId === undefined ? {} : { parentRunId }),
      } as AGUIEvent,
    ];
  }

  of(happened: RunEvent): readonly AGUIEvent[] {
    switch (happened.from) {
      case "agent":
        return this.#ofAgent(happened.event);
      case "step":
        return [custom("step", happened.address), custom("usage_snapshot", usageSnapshot(happened.usage))];
      case "inbox":
        return [custom("message_seen", { message_id: happened.message.id })];
      case "awaited":
        this.#awaited.add(happened.call.callId);
        return [];
      case "settled":
        return this.#result(happened.callId, happened.text);
    }
  }

  #result(callId: string, content: string): readonly AGUIEvent[] {
    const messageId = `${this.#names.runId}:result:${callId}`;
    return [{ type: EventType.TOOL_CALL_RESULT, messageId, toolCallId: callId, content, role: "tool" }];
  }

  ended(outcome: Pick<AgentOutcome, "end" | "awaited" | "usage" | "reason">, status: string): readonly AGUIEvent[] {
    const closing = this.#closeAll();
    if (status === "failed") {
      const message =
        outcome.reason ?? (outcome.end === "interrupted" ? "The run was interrupted." : "The run failed.");
      return [
        ...closing,
        { type: EventType.RUN_ERROR, message, code: outcome.end === "interrupted" ? "interrupted" : "failed" },
      ];
    }
    const { runId, conversationId: threadId } = this.#names;
    return [
      ...closing,
      {
        type: EventType.RUN_FINISHED,
        ...{ threadId, runId },
        result: { status, end: outcome.end, ...(outcome.reason === undefined ? {} : { reason: outcome.reason }) },
        outcome: outcomeOf(outcome, this.#names.clientTools),
        usage: outcome.usage.map(tokenUsage),
      },
    ];
  }

  #ofAgent(event: AgentEvent): readonly AGUIEvent[] {
    switch (event.type) {
      case "turn_start":
        return this.#stepStarted();
      case "turn_end":
        return [...this.#closeAll()];
      case "message_start":
        if (event.message.role === "assistant") {
          this.#answers += 1;
          this.#callsIn = undefined;
        }
        return [];
      case "message_update":
        return this.#ofAnswer(event.assistantMessageEvent);
      case "message_end":
        return this.#ofMessage(event.message as AssistantMessage | ToolResultMessage);
      case "tool_execution_update":
        return [
          custom("tool_output", {
            toolCallId: event.toolCallId,
            text: textOf((event.partialResult as { content?: [] }).content ?? []).slice(-limits.partialOutputCharsMax),
          }),
        ];
      default:
        return [];
    }
  }

  #stepStarted(): readonly AGUIEvent[] {
    const closing = this.#closeAll();
    this.#steps += 1;
    this.#inStep = true;
    return [...closing, { type: EventType.STEP_STARTED, stepName: this.#stepName }];
  }

  get #stepName(): string {
    return `${this.#steps}`;
  }

  /** What a broken answer left open is closed with it. */
  #ofMessage(message: AssistantMessage | ToolResultMessage): readonly AGUIEvent[] {
    if (message.role === "assistant") return this.#closeParts();
    if (message.role !== "toolResult" || this.#awaited.has(message.toolCallId)) return [];
    return this.#result(message.toolCallId, textOf(message.content));
  }

  #ofAnswer(event: AssistantMessageEvent): readonly AGUIEvent[] {
    switch (event.type) {
      case "text_start":
        return this.#textStarted(event.contentIndex);
      case "text_delta":
        return this.#delta(event.contentIndex, event.delta, (messageId, delta) => ({
          ...{ type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta },
        }));
      case "thinking_start":
        return this.#thinkingStarted(event.contentIndex);
      case "thinking_delta":
        return this.#delta(event.contentIndex, event.delta, (messageId, delta) => ({
          ...{ type: EventType.REASONING_MESSAGE_CONTENT, messageId, delta },
        }));
      case "toolcall_start":
      case "toolcall_delta": {
        const call = event.partial.content[event.contentIndex];
        if (call?.type !== "toolCall" || call.id === "" || call.name === "") return [];
        const started = this.#callStarted(event.contentIndex, call);
        if (event.type === "toolcall_start" || event.delta === "") return started;
        return [...started, { type: EventType.TOOL_CALL_ARGS, toolCallId: call.id, delta: event.delta }];
      }
      case "toolcall_end":
        return [...this.#callStarted(event.contentIndex, event.toolCall), ...this.#close(event.contentIndex)];
      case "text_end":
      case "thinking_end":
        return this.#close(event.contentIndex);
      default:
        return [];
    }
  }

  #messageId(part: number): string {
    return `${this.#names.runId}:${this.#answers}:${part}`;
  }

  #textStarted(part: number): readonly AGUIEvent[] {
    const messageId = this.#messageId(part);
    this.#callsIn ??= messageId;
    this.#open.set(messageId, { close: () => [{ type: EventType.TEXT_MESSAGE_END, messageId }] });
    return [{ type: EventType.TEXT_MESSAGE_START, messageId, role: "assistant" }];
  }

  #thinkingStarted(part: number): readonly AGUIEvent[] {
    const messageId = this.#messageId(part);
    this.#open.set(messageId, {
      close: () => [
        { type: EventType.REASONING_MESSAGE_END, messageId },
        { type: EventType.REASONING_END, messageId },
      ],
    });
    return [
      { type: EventType.REASONING_START, messageId },
      { type: EventType.REASONING_MESSAGE_START, messageId, role: "reasoning" },
    ];
  }

  #callStarted(part: number, { id, name }: { readonly id: string; readonly name: string }): readonly AGUIEvent[] {
    const key = this.#messageId(part);
    if (this.#open.has(key)) return [];
    this.#open.set(key, { close: () => [{ type: EventType.TOOL_CALL_END, toolCallId: id }] });
    this.#callsIn ??= key;
    return [{ type: EventType.TOOL_CALL_START, toolCallId: id, toolCallName: name, parentMessageId: this.#callsIn }];
  }

  #delta(part: number, delta: string, event: (id: string, delta: string) => AGUIEvent): readonly AGUIEvent[] {
    return delta === "" ? [] : [event(this.#messageId(part), delta)];
  }

  #close(part: number): readonly AGUIEvent[] {
    const key = this.#messageId(part);
    const closing = this.#open.get(key)?.close() ?? [];
    this.#open.delete(key);
    return closing;
  }

  #closeParts(): readonly AGUIEvent[] {
    const closing = [...this.#open.values()].flatMap(({ close }) => close());
    this.#open.clear();
    return closing;
  }

  #closeAll(): readonly AGUIEvent[] {
    const step: readonly AGUIEvent[] = this.#inStep
      ? [{ type: EventType.STEP_FINISHED, stepName: this.#stepName }]
      : [];
    this.#inStep = false;
    return [...this.#closeParts(), ...step];
  }
}

const custom = (name: string, value: unknown): AGUIEvent => ({ type: EventType.CUSTOM, name, value });

function outcomeOf({ end, awaited }: Pick<AgentOutcome, "end" | "awaited">, clientTools: readonly string[] = []) {
  if (end === "interrupted") return { type: "cancelled" as const };
  const others = awaited.filter(({ tool, kind }) => kind === "approval" || !clientTools.includes(tool));
  if (others.length === 0) return { type: "success" as const };
  const interrupts: Interrupt[] = others.map(({ callId, tool, kind }) => ({
    ...{ id: callId, reason: kind === "approval" ? "tool_approval" : "tool_result", toolCallId: callId },
    metadata: { tool },
  }));
  return { type: "interrupt" as const, interrupts };
}
