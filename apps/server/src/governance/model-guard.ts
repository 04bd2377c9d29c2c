import { affords, booked, check, type Denied, maxStepsExceeded, stepAllowance } from "@cm/governance";
import type { StreamFn } from "@earendil-works/pi-agent-core";
import type { AssistantMessage } from "@earendil-works/pi-ai";
import { allowed, type CheckedRequest, type Verdict } from "../agent/call-checks.ts";
import { tokensIn } from "../agent/pi-messages.ts";
import { limits } from "../limits.ts";
import { askApproval } from "./ask-approval.ts";
import type { TaskContext } from "./task-context.ts";

const stopReasons = {
  stop: "stop",
  length: "length",
  toolUse: "tool_use",
  error: "error",
  aborted: "cancelled",
} as const;

/** About as many for text and code. */
const charsPerToken = 4;

/** Asked before each call of the model: steps, policy, tokens. */
export class ModelGuard {
  readonly #context: TaskContext;
  readonly #stepBegan: () => void;
  #over: (() => void) | undefined;
  #askedMs = 0;
  /** About what the newest request has. */
  #askedTokens = 0;
  /** Tokens of this task. */
  tokens = 0;

  constructor(context: TaskContext, stepBegan: () => void) {
    this.#context = context;
    this.#stepBegan = stepBegan;
  }

  /** The model as this task may ask it: a cancelled task breaks its answer off. */
  stream(ask: StreamFn): StreamFn {
    return (model, context, options) => {
      const bound = this.#outputMax;
      const maxTokens =
        bound === undefined ? {} : { maxTokens: Math.min(bound, options?.maxTokens ?? model.maxTokens) };
      const { cancelled } = this.#context;
      const signal = options?.signal === undefined ? cancelled : AbortSignal.any([options.signal, cancelled]);
      return ask(model, context, { ...options, ...maxTokens, signal });
    };
  }

  /** Waits while the session is paused, and for a person where the policy wants one. */
  async before(request: CheckedRequest): Promise<Verdict> {
    const { session, setting, signal, now } = this.#context.parts;
    let isApproved = false;
    for (;;) {
      if (this.#context.cancelled.aborted || signal.aborted)
        return this.#stop("cancelled", "interrupted", "The task was cancelled.");
      if (this.#areStepsUsedUp()) return this.#stop(maxStepsExceeded, "budget", stepsSentence(setting.maxSteps));
      const action = this.#action(request);
      const verdict = check(session.policy, action, now(), setting);
      if (verdict.outcome === "denied") {
        this.#denied(verdict);
        if (verdict.reason !== "policy_expired") return this.#stop(verdict.reason, "failed", verdict.message);
        await this.#untilResumed();
      } else if (session.isPaused) await this.#untilResumed();
      // What a provider counts of prompt and tools is known after the first call; less than its messages it never counts.
      else if (!affords(session.budget, tokensOf(request.chars))) return this.#spent();
      else if (verdict.outcome === "allowed" || isApproved) return this.#begin(action);
      else {
        const call = {
          callId: this.#context.chain.stepId,
          tool: "model",
          capability: "LLM.Call",
          args: { model: request.model },
        };
        const { decision } = await askApproval(call, verdict, this.#context);
        if (decision === "denied")
          return this.#stop("approval_denied", "failed", "The call of the model was not approved.");
        isApproved = true;
      }
    }
  }

  /** Books what the provider counted, or about that where it counts nothing: a budget would have no end there. */
  answered({ usage, stopReason, model, errorMessage, content }: AssistantMessage): void {
    const { session } = this.#context.parts;
    const { input, output, cacheRead, cacheWrite } = tokensIn(usage);
    const counted = { input: input + cacheRead + cacheWrite, output };
    const isUncounted = counted.input + counted.output === 0 && (stopReason === "stop" || stopReason === "toolUse");
    const use = isUncounted
      ? { input: this.#askedTokens, output: Math.ceil(JSON.stringify(content).length / charsPerToken) }
      : counted;
    session.budget = booked(session.budget, use);
    this.tokens += use.input + use.output;
    const error = errorMessage === undefined ? {} : { error: errorMessage };
    this.#context.say("llm_request_completed", {
      ...{ model, inputTokens: use.input, outputTokens: use.output, ...error },
      latencyMs: Math.max(0, this.#context.parts.now() - this.#askedMs),
      stopReason: stopReasons[stopReason as keyof typeof stopReasons] ?? "error",
    });
    this.close();
  }

  /** Nothing is waited for any more. */
  close(): void {
    this.#over?.();
    this.#over = undefined;
  }

  #areStepsUsedUp(): boolean {
    const { setting, tell } = this.#context.parts;
    const { taken } = this.#context;
    const { warns, isUsedUp, left } = stepAllowance(setting.maxSteps, taken);
    if (warns && !this.#isWarned) {
      this.#isWarned = true;
      this.#context.say("task_steps_warning", { taken, maxSteps: setting.maxSteps }, { severity: "warning" });
      tell("steps_warning", { taken, max_steps: setting.maxSteps, left });
    }
    return isUsedUp;
  }
  #isWarned = false;

  #action({ model, chars, fixedChars }: CheckedRequest) {
    const bound = this.#outputMax;
    // About what providers count; what they did count is booked afterwards.
    const inputTokens = tokensOf(chars + fixedChars);
    const maxOutputTokens = bound === undefined ? {} : { maxOutputTokens: bound };
    return { capability: "LLM.Call", model, inputTokens, ...maxOutputTokens } as const;
  }

  get #outputMax(): number | undefined {
    return this.#context.parts.session.policy.bundle.llmPolicy?.maxOutputTokens;
  }

  #begin({ model, inputTokens }: { readonly model: string; readonly inputTokens: number }): Verdict {
    const { session, now } = this.#context.parts;
    this.#stepBegan();
    this.#context.say("llm_request_started", { model, inputTokens });
    this.#askedMs = now();
    this.#askedTokens = inputTokens;
    this.close();
    this.#over = session.wait("llm", this.#context.chain);
    return allowed;
  }

  #denied({ reason }: Denied): void {
    this.#context.say("policy_denied", { capability: "LLM.Call", risk: "low", reason }, { severity: "warning" });
  }

  async #untilResumed(): Promise<void> {
    const { session, signal, tell } = this.#context.parts;
    const ended = AbortSignal.any([signal, this.#context.cancelled]);
    session.pause("policy_expired", this.#context.chain);
    // Who is told may ask for it at any server of the store. Where that hangs, the pause is told all the same.
    await session.untilWritten(AbortSignal.any([ended, AbortSignal.timeout(limits.pauseToldMs)]));
    tell("session_paused", { session_id: session.chain.sessionId, reason: "policy_expired" });
    await session.untilResumed(ended);
    if (!session.isPaused) tell("session_resumed", { session_id: session.chain.sessionId });
  }

  #spent(): Verdict {
    const { limit, used } = this.#context.parts.session.budget;
    this.#context.say("budget_exhausted", { used, limit: limit ?? 0 }, { severity: "warning" });
    const why = "The session has used the tokens that its policy allows, or what is left is too little for a request.";
    return this.#stop("budget_exhausted", "budget", why);
  }

  #stop(reason: string, end: "budget" | "interrupted" | "failed", sentence: string): Verdict {
    this.#context.stopped = reason;
    return { do: "stop", end, reason: `${sentence} (${reason})` };
  }
}

const tokensOf = (chars: number): number => Math.ceil(chars / charsPerToken);

const stepsSentence = (maxSteps: number): string => `The task has used all of its ${maxSteps} steps.`;
