import type { FeatureFlags, TaskEnding } from "@cm/governance";
import type { CallChain } from "@cm/object-model";
import type { Session } from "@cm/session";
import type { ThreadMessage } from "@cm/workspace";
import type { AgentTool, StreamFn } from "@earendil-works/pi-agent-core";
import type { AgentOutcome } from "../agent/agent-outcome.ts";
import type { RunEvent } from "../agent/agent-run.ts";
import type { CallChecks } from "../agent/call-checks.ts";
import { untilAnswered } from "../until-answered.ts";
import { GovernedTask } from "./governed-task.ts";
import { outputsIn } from "./made-artifacts.ts";
import type { RunParts } from "./run-parts.ts";
import { type RecordedCall, TaskThread } from "./task-thread.ts";

/** A run as a task of a governed session: what it says goes into the session's history when it is over. */
export class GovernedRun {
  readonly #parts: RunParts;
  readonly #task: GovernedTask;
  readonly #thread: TaskThread;
  readonly #beganMs: number;
  #session: Session | undefined;
  #systemPrompt = "";
  /** Writes of its steps, one after the other; no step waits for them. */
  #noted: Promise<void> = Promise.resolve();

  constructor(parts: RunParts) {
    this.#parts = parts;
    this.#task = new GovernedTask(parts, parts);
    this.#thread = new TaskThread(parts.now);
    this.#beganMs = parts.now();
    const { maxSteps, allowNetwork, approvalMode } = parts.setting;
    parts.began(this);
    if (!parts.isContinued)
      this.#task.context.say("task_started", { prompt: parts.prompt, maxSteps, allowNetwork, approvalMode });
  }

  get sessionId(): string {
    return this.#parts.session.chain.sessionId;
  }

  get setting(): RunParts["setting"] {
    return this.#parts.setting;
  }

  get featureFlags(): FeatureFlags {
    return this.#parts.session.flags;
  }

  /** Of the step that goes on, as the objects of its calls have it. */
  get chain(): CallChain {
    const {
      workspaceId: workspace_id,
      sessionId: session_id,
      taskId: task_id,
      stepId: step_id,
    } = this.#task.context.chain;
    return { workspace_id, session_id, task_id, step_id };
  }

  get checks(): CallChecks {
    return this.#task.checks;
  }

  stream(ask: StreamFn): StreamFn {
    return this.#task.stream(ask);
  }

  tools(tools: readonly AgentTool[]): readonly AgentTool[] {
    return this.#task.tools(tools);
  }

  /** No further call of the model; one that goes on is broken off, and a tool that runs is let finish. */
  cancel(): void {
    this.#task.context.cancel();
  }

  follows(session: Session, systemPrompt: string): void {
    this.#session = session;
    this.#systemPrompt = systemPrompt;
    if (!this.#parts.hasSteps) return;
    const { context } = this.#task;
    // A step that a kill left unnoted was taken all the same.
    context.taken = Math.max(context.taken, this.#thread.recall(session.view().log, this.#parts));
  }

  saw(happened: RunEvent): void {
    const { chain } = this.#task.context;
    if (happened.from === "agent") this.#thread.saw(happened.event, chain);
    this.#task.saw(happened);
    // Noted while its tools run, too: a kill then loses the step, and not what its answer cost.
    if (happened.from === "step" || callsTools(happened)) this.#note(this.#task.context.taken);
  }

  /** Runs it, and writes how it ended. What cannot be written is a fault, and none of the run's. */
  async during(work: () => Promise<AgentOutcome>): Promise<AgentOutcome> {
    let outcome: AgentOutcome | undefined;
    try {
      outcome = await work();
      return outcome;
    } finally {
      const why = this.#task.close(outcome ?? { end: "failed" });
      await this.#end(why, outcome).catch((error: unknown) =>
        this.#parts.fault(`The end of the task ${this.#parts.taskId} could not be recorded.`, error),
      );
      this.#parts.ended();
    }
  }

  async #end(why: string | undefined, outcome: AgentOutcome | undefined): Promise<void> {
    const { workspaces, session, taskId, events, now } = this.#parts;
    const status: TaskEnding = why === undefined ? "completed" : why === "cancelled" ? "cancelled" : "failed";
    const { context, tokens } = this.#task;
    const own = this.#thread.messages(await untilAnswered(() => this.#objects()));
    const facts = { steps: context.taken, durationMs: Math.max(0, now() - this.#beganMs), totalTokens: tokens };
    await this.#noted;
    // What was failed meanwhile has no answer in its conversation: its task may go on behind its last step.
    if (!(await untilAnswered(() => this.#parts.holds()))) return;
    session.thread = [...(session.thread ?? [this.#system()]), ...own];
    const messages = session.thread;
    const end = { status, messages, tokensUsed: session.budget.used, ...(why === undefined ? {} : { reason: why }) };
    const at = { chain: context.lastChain };
    const saved = context.toTell("history_saved", { messages: messages.length }, at);
    const ended =
      status === "failed"
        ? context.toTell("task_failed", { ...facts, errorCode: why ?? "failed", ...reasonOf(outcome) }, at)
        : context.toTell(status === "completed" ? "task_completed" : "task_cancelled", facts, at);
    const named = { sessionId: session.chain.sessionId, taskId };
    await events.withEnd(named, [saved, ended], () => untilAnswered(() => workspaces.endTask(named, end)));
    session.savedAfter = taskId;
    this.#parts.keep([...outputsIn(own, session.chain), ...context.made]);
    void events.flush();
  }

  #note(taken: number): void {
    const { workspaces, session, taskId, fault, setting } = this.#parts;
    const { used } = session.budget;
    this.#noted = this.#noted.then(async () => {
      try {
        const named = { sessionId: session.chain.sessionId, taskId };
        await workspaces.noteStep(named, Math.min(taken, setting.maxSteps), used);
      } catch (error) {
        fault(`Step ${taken} of the task ${taskId} could not be noted.`, error);
      }
    });
  }

  /** Texts of recorded calls by call id. A file that was read has its text itself, and its call has none. */
  async #objects(): Promise<ReadonlyMap<string, RecordedCall>> {
    const log = this.#session?.view().log ?? [];
    const calls = log.flatMap((entry) => (entry.kind === "assistant" ? entry.calls : []));
    const found = await this.#parts.content.getMany(calls.flatMap(({ object }) => object ?? []));
    return new Map(
      calls.flatMap(({ callId, object = "" }) => {
        const text = found.get(object)?.document?.content ?? null;
        return text === null || text === "" ? [] : [[callId, { object, text }] as const];
      }),
    );
  }

  #system(): ThreadMessage {
    const at = this.#beganMs;
    return { messageId: "system", role: "system", content: this.#systemPrompt, taskId: null, stepId: null, at };
  }
}

const callsTools = (happened: RunEvent): boolean =>
  happened.from === "agent" &&
  happened.event.type === "message_end" &&
  happened.event.message.role === "assistant" &&
  happened.event.message.stopReason === "toolUse";

const reasonOf = (outcome: AgentOutcome | undefined) =>
  outcome?.reason === undefined ? {} : { error: outcome.reason };
