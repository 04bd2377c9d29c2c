import type { IncomingUser } from "@cm/context-log";
import { isCmError, type JsonObject } from "@cm/object-model";
import {
  type AgentLoopConfig,
  type AgentMessage,
  type BeforeToolCallContext,
  type BeforeToolCallResult,
  type FinishTurn,
  runAgentLoop,
} from "@earendil-works/pi-agent-core";
import type { Message, UserMessage } from "@earendil-works/pi-ai";
import { serverError } from "../errors.ts";
import { untilAnswered } from "../until-answered.ts";
import type { AgentEnd, AgentOutcome, AwaitedCall } from "./agent-outcome.ts";
import type { AgentRunOptions } from "./agent-run.ts";
import { type CheckedRequest, verdictOf } from "./call-checks.ts";
import { declaredChars } from "./declared-chars.ts";
import { answersOfOthers, nameOf } from "./earlier-models.ts";
import type { InboxMessage } from "./inbox.ts";
import { piMessages } from "./pi-messages.ts";
import { Pictures } from "./pictures.ts";
import { isApproved, settleCalls } from "./settle-calls.ts";
import { StepRecorder } from "./step-recorder.ts";

/**
 * One run: from its input to the answer that calls no tool. Pi's loop asks the model and runs the tools; what the model
 * is sent is the session's prompt, and each answer with its results is a step of the session. Never throws: a fault is an
 * outcome, and the steps before it are in the store.
 */
export async function runAgent(options: AgentRunOptions): Promise<AgentOutcome> {
  const loop = new AgentLoop(options);
  await loop.run().catch((error: unknown) => loop.fail(error));
  await loop.keepUnseen().catch((error: unknown) => loop.fail(error));
  return loop.outcome();
}

/** Runs the calls that were approved, and nothing else, within the run's time. Never throws for what a call does. */
export function runApprovedCalls(given: AgentRunOptions): Promise<void> {
  const signal = AbortSignal.any([given.signal, AbortSignal.timeout(given.budget.ms)]);
  const options = { ...given, signal };
  return settleCalls(options, new StepRecorder(options, new Pictures(options.store)), isApproved);
}

class AgentLoop {
  readonly #options: AgentRunOptions;
  readonly #pictures: Pictures;
  readonly #recorder: StepRecorder;
  readonly #said = new Map<AgentMessage, InboxMessage>();
  /** Fires when the run's time is up. */
  readonly #late: AbortSignal;
  #ofOthers: ReadonlyMap<number, string> = new Map();
  /** Messages of the loop that the session has received. */
  #received = 0;
  #end: AgentEnd = "answered";
  #reason: string | undefined;
  #fault: unknown;
  /** Answers of the model, also those that no tokens were counted for. */
  #answers = 0;

  constructor(given: AgentRunOptions) {
    this.#late = AbortSignal.timeout(given.budget.ms);
    // What is out of time ends as what is interrupted does, in the middle of a tool, too.
    const options = { ...given, signal: AbortSignal.any([given.signal, this.#late]) };
    this.#options = options;
    this.#pictures = new Pictures(options.store);
    this.#recorder = new StepRecorder(options, this.#pictures);
  }

  async run(): Promise<void> {
    const { session, asked, tools, input, inbox, signal, onEvent } = this.#options;
    this.#ofOthers = await answersOfOthers(this.#options.store, session, asked.model);
    await settleCalls(this.#options, this.#recorder);
    const config: AgentLoopConfig = {
      model: asked.model,
      ...(asked.thinking === undefined ? {} : { reasoning: asked.thinking }),
      sessionId: session.session,
      convertToLlm: (messages) => messages as Message[],
      transformContext: (messages) => this.#prompt(messages),
      finishTurn: (turn) => this.#finish(turn),
      beforeToolCall: (call) => this.#beforeTool(call),
      getSteeringMessages: async () => inbox.takeSteering().map((message) => this.#userMessage(message)),
      getFollowUpMessages: async () => inbox.takeLast().map((message) => this.#userMessage(message)),
    };
    const context = { messages: [], tools: [...tools] };
    const prompts = input.map((message) => this.#userMessage(message));
    await runAgentLoop(prompts, context, config, (event) => onEvent({ from: "agent", event }), signal, asked.stream);
  }

  /** Messages that it took and that no request had, however it ended: the next run's first one has them. */
  async keepUnseen(): Promise<void> {
    const { session, inbox } = this.#options;
    const unseen = inbox.close();
    if (unseen.length > 0 && this.#end !== "failed") await session.receive(unseen.map(incomingUser));
  }

  fail(error: unknown): void {
    if (error instanceof RunStopped) {
      this.#end = this.#endOfAbort() ?? error.end;
      this.#reason = error.message;
      return;
    }
    this.#end = this.#endOfAbort() ?? "failed";
    this.#reason = isCmError(error) ? error.message : "The server met a fault of its own; its log names it.";
    this.#fault = error;
  }

  outcome(): AgentOutcome {
    const { last, text, usage, awaited } = this.#recorder;
    return {
      ...{ end: this.#end, last, text, usage: usage.byModel, awaited: [...awaited.values()] },
      ...(this.#reason === undefined ? {} : { reason: this.#reason }),
      ...(this.#fault === undefined ? {} : { fault: this.#fault }),
    };
  }

  /** The session's prompt goes in here: of the loop's own messages only those count that are new. */
  async #prompt(messages: readonly AgentMessage[]): Promise<AgentMessage[]> {
    const { session, asked, onEvent } = this.#options;
    const fresh = messages.slice(this.#received).flatMap((message) => this.#said.get(message) ?? []);
    this.#received = messages.length;
    for (const { attachments = [] } of fresh) this.#pictures.learn(attachments);
    if (fresh.length > 0) await session.receive(fresh.map(incomingUser));
    const { model } = asked;
    const answerTokens = Math.floor(Math.min(model.maxTokens, model.contextWindow / 4));
    const window = { tokensMax: model.contextWindow, answerTokens };
    const prompt = await untilAnswered(() => session.assemble({ model: nameOf(model), window }));
    await this.#checkRequest({
      chars: prompt.chars,
      fixedChars: prompt.system.length + declaredChars(this.#options.tools),
    });
    for (const { id } of fresh) onEvent({ from: "inbox", message: { id } });
    const declared = messages.find(({ role }) => role === "system");
    const system = { ...declared, role: "system", content: prompt.system, timestamp: 0 } as AgentMessage;
    return [
      system,
      ...piMessages(prompt, { model, pictureOf: await this.#pictures.of(prompt), ofOthers: this.#ofOthers }),
    ];
  }

  /** @throws CmError `server/run-failed` where a rule forbids it; RunStopped where one ends the run */
  async #checkRequest(size: Pick<CheckedRequest, "chars" | "fixedChars">): Promise<void> {
    const { asked, checks, run } = this.#options;
    const { id: model, provider } = asked.model;
    const request: CheckedRequest = { model, provider, ...size, requests: this.#recorder.usage.requests };
    const verdict = await verdictOf(checks, (check) => check.beforeModel?.(request, run));
    if (verdict.do === "allow") return;
    if (verdict.do === "stop") throw new RunStopped(verdict);
    const why =
      verdict.do === "deny" ? verdict.reason : "A rule asks for an approval that model calls cannot wait for.";
    throw serverError("server/run-failed", why, { run: run.runId });
  }

  async #beforeTool({ toolCall, args }: BeforeToolCallContext): Promise<BeforeToolCallResult | undefined> {
    const { checks, run, deferred, onEvent } = this.#options;
    const { id: callId, name: tool } = toolCall;
    const call = { callId, tool, args: args as JsonObject };
    const verdict = await verdictOf(checks, (check) => check.beforeTool?.(call, run));
    if (verdict.do === "deny" || verdict.do === "stop") return { block: true, reason: verdict.reason };
    const kind = verdict.do === "ask" ? "approval" : deferred.has(tool) ? "call" : undefined;
    if (kind === undefined) return undefined;
    const awaited: AwaitedCall = { callId, tool, kind };
    this.#recorder.awaited.set(callId, awaited);
    onEvent({ from: "awaited", call: awaited, args: call.args });
    return { block: true, reason: "Its result comes from outside of this server.", terminate: true };
  }

  /** The step is written before the next request is made; a run that was interrupted asks for none. */
  readonly #finish: FinishTurn = async ({ message, toolResults }) => {
    await this.#recorder.record({ message, toolResults });
    this.#end = this.#endAfter(message.stopReason) ?? this.#end;
    if (this.#end === "failed")
      this.#reason = `The model's provider failed: ${message.errorMessage ?? "no reason given"}`;
    if (this.#end !== "answered") return { action: "end" };
    const isCut = message.stopReason === "length" && toolResults.length === 0;
    return isCut && this.#options.goesOnWhereCut === true ? { action: "continue" } : undefined;
  };

  #endAfter(stopReason: string): AgentEnd | undefined {
    const { budget } = this.#options;
    if (this.#options.signal.aborted || stopReason === "aborted") return this.#endOfAbort() ?? "interrupted";
    if (stopReason === "error") return "failed";
    if (this.#recorder.awaited.size > 0) return "awaiting";
    const { requests, tokens } = this.#recorder.usage;
    this.#answers += 1;
    const isSpent =
      Math.max(requests, this.#answers) >= budget.stepsMax || tokens >= (budget.tokensMax ?? Number.POSITIVE_INFINITY);
    return isSpent && stopReason === "toolUse" ? "budget" : undefined;
  }

  #endOfAbort(): AgentEnd | undefined {
    if (!this.#options.signal.aborted) return undefined;
    return this.#late.aborted ? "budget" : "interrupted";
  }

  #userMessage(message: InboxMessage): UserMessage {
    const said: UserMessage = { role: "user", content: message.text, timestamp: this.#now() };
    this.#said.set(said, message);
    return said;
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}

/** A rule ended the run before a call of the model. */
class RunStopped extends Error {
  readonly end: AgentEnd;

  constructor({ end, reason }: { readonly end: AgentEnd; readonly reason: string }) {
    super(reason);
    this.end = end;
  }
}

const incomingUser = ({ text, attachments = [] }: InboxMessage): IncomingUser => ({
  ...{ role: "user" as const, text },
  ...(attachments.length > 0 ? { attachments } : {}),
});
