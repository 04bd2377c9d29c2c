import type { AgentTool, StreamFn } from "@earendil-works/pi-agent-core";
import type { AssistantMessage } from "@earendil-works/pi-ai";
import type { AgentOutcome } from "../agent/agent-outcome.ts";
import type { RunEvent } from "../agent/agent-run.ts";
import type { CallChecks } from "../agent/call-checks.ts";
import { ModelGuard } from "./model-guard.ts";
import { TaskContext, type TaskParts } from "./task-context.ts";
import { ToolGuard } from "./tool-guard.ts";

/** One run under its session's policy: asked before each call of the model and of a tool, and told of what happens. */
export class GovernedTask {
  readonly #context: TaskContext;
  readonly #model: ModelGuard;
  readonly #tools: ToolGuard;
  readonly #deferred: ReadonlySet<string>;
  #stepBeganMs: number | undefined;

  constructor(parts: TaskParts, { cwd, deferred }: { readonly cwd: string; readonly deferred: ReadonlySet<string> }) {
    this.#context = new TaskContext(parts);
    this.#deferred = deferred;
    this.#model = new ModelGuard(this.#context, () => this.#stepBegan());
    this.#tools = new ToolGuard(this.#context, cwd);
  }

  get context(): TaskContext {
    return this.#context;
  }

  get tokens(): number {
    return this.#model.tokens;
  }

  /** For what runs elsewhere, and for the model. */
  get checks(): CallChecks {
    return {
      beforeModel: (request) => this.#model.before(request),
      beforeTool: (call) => (this.#deferred.has(call.tool) ? this.#tools.beforeElsewhere(call) : { do: "allow" }),
    };
  }

  stream(ask: StreamFn): StreamFn {
    return this.#model.stream(ask);
  }

  tools(tools: readonly AgentTool[]): readonly AgentTool[] {
    return this.#tools.guarded(tools);
  }

  /** What the agent did, as it happens. */
  saw(happened: RunEvent): void {
    if (happened.from === "step") this.#stepOver();
    if (happened.from === "awaited") this.#tools.awaited({ ...happened.call, args: happened.args });
    if (happened.from === "settled") this.#tools.settled(happened);
    if (happened.from !== "agent") return;
    const { event } = happened;
    if (event.type === "message_end" && event.message.role === "assistant")
      this.#model.answered(event.message as AssistantMessage);
    if (event.type === "tool_execution_end") this.#tools.ended(event.toolCallId, event.toolName);
  }

  /** Nothing follows any more. @returns why the task did not complete, in one word; undefined where it did */
  close({ end }: Pick<AgentOutcome, "end">): string | undefined {
    this.#model.close();
    if (this.#context.stopped !== undefined) return this.#context.stopped;
    if (end === "answered" || end === "awaiting") return undefined;
    return { interrupted: "cancelled", budget: "run_budget_spent", failed: "failed" }[end];
  }

  #stepBegan(): void {
    this.#stepBeganMs = this.#context.parts.now();
    this.#context.say("step_started", { number: this.#context.taken + 1 });
  }

  #stepOver(): void {
    const number = this.#context.taken + 1;
    const durationMs = Math.max(0, this.#context.parts.now() - (this.#stepBeganMs ?? 0));
    this.#context.say("step_completed", { number, durationMs });
    this.#context.taken = number;
  }
}
