import { randomUUID } from "node:crypto";
import {
  type AssembleOptions,
  type CommandOutcome,
  type CommitReceipt,
  type ContextHost,
  type ContextPolicy,
  type ContextView,
  type IncomingResult,
  type IncomingUser,
  isCmError,
  type LeveledObject,
  type ListQuery,
  type ObjectList,
  type ObjectStore,
  type Prices,
  type RebuiltPrompt,
  type RenderedPrompt,
  type Renderer,
  type SetCommand,
  type StepReceipt,
  type StepRecord,
} from "@cm/object-model";
import type { Discovery } from "./discovery/foreign-files.ts";
import { listObjects } from "./discovery/list-objects.ts";
import { type CommandContext, runCommand } from "./discovery/run-command.ts";
import { sessionError } from "./errors.ts";
import { type CleanRecord, cleanRecord, sameRecord } from "./incoming/clean-record.ts";
import { type Redactor, TextCleaner } from "./incoming/clean-text.ts";
import { limits } from "./limits.ts";
import { checkDecision } from "./prompt/decision.ts";
import { PromptHasher } from "./prompt/prompt-hash.ts";
import { type RendererFor, rebuildPrompt } from "./prompt/rebuild.ts";
import { type SeenPart, seenParts } from "./spans/seen-parts.ts";
import { finish } from "./state/advance.ts";
import { type SessionState, viewOf } from "./state/session-state.ts";
import { OpenStep } from "./steps/open-step.ts";
import { OtherWriters } from "./steps/other-writers.ts";
import type { Pause } from "./steps/pause.ts";
import type { StepContext, StepPlan } from "./steps/plan-step.ts";
import type { SessionHeads } from "./steps/read-path.ts";
import { takeIn } from "./steps/take-in.ts";
import { commitPlan, headsAfterCommit, writeStep } from "./steps/write-step.ts";
import type { FileTracking } from "./tracking/followed-files.ts";
import { Lookout, type LookoutOptions } from "./tracking/lookout.ts";
import { type ChatView, chatView } from "./views/chat-view.ts";
import { leveledObjects } from "./views/object-list.ts";
import { type SessionView, sessionView } from "./views/session-view.ts";

/** What an open session is made of; `openSession` puts it together. */
export interface SessionParts extends LookoutOptions {
  readonly store: ObjectStore;
  readonly policy: ContextPolicy;
  readonly renderer: Renderer;
  readonly rendererFor: RendererFor;
  readonly prices: Prices;
  readonly redact: Redactor | undefined;
  readonly now: () => number;
  readonly keyframeEverySteps: number;
  readonly poolEntriesMax: number;
  readonly discovery: Discovery;
  readonly state: SessionState;
  readonly heads: SessionHeads;
  readonly pause: Pause;
  /** The system prompt in the store; undefined where nobody knows. */
  readonly storedSystemPrompt: string | undefined;
  /** Secrets replaced when the session was opened. */
  readonly redactions: number;
}

/** A step whose commit got no answer: it is there, or the same commit makes it so. */
interface UnsettledStep {
  readonly plan: StepPlan;
  readonly record: CleanRecord;
}

/** One agent's session, open for writing: the SSOT's client (5.1). Calls run one after the other. */
export class Session implements ContextHost {
  readonly contract = "harness/1";
  readonly session: string;
  readonly #parts: SessionParts;
  readonly #state: SessionState;
  readonly #client = randomUUID();
  readonly #hasher = new PromptHasher();
  readonly #lookout: Lookout;
  readonly #others: OtherWriters;
  #heads: SessionHeads;
  #storedSystemPrompt: string | undefined;
  #step: OpenStep;
  #unsettled: UnsettledStep | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#state = parts.state;
    this.session = parts.state.session;
    this.#heads = parts.heads;
    const { head, next_step: nextStep } = parts.heads.session;
    this.#others = new OtherWriters(this.session, { head, nextStep });
    this.#storedSystemPrompt = parts.storedSystemPrompt;
    this.#step = new OpenStep(parts.state, parts.renderer.residency);
    this.#step.redactions = parts.redactions;
    this.#lookout = new Lookout(parts, (task) => this.#inTurn(task));
  }

  receive(messages: readonly (IncomingUser | IncomingResult)[]): Promise<void> {
    return this.#whenSettled(async () => {
      const { store, files, redact } = this.#parts;
      const nextStep = this.#heads.session.next_step;
      await takeIn({ store, files, redact, nextStep, state: this.#state, step: this.#step }, messages);
    });
  }

  assemble(options: AssembleOptions = {}): Promise<RenderedPrompt> {
    return this.#whenSettled(async () => {
      const { policy, renderer, prices, redact } = this.#parts;
      const { cache = "warm" } = options;
      const cleaner = new TextCleaner(redact);
      const systemPrompt =
        options.systemPrompt === undefined ? this.#state.systemPrompt : cleaner.text(options.systemPrompt);
      const known = this.#step.request;
      const isSame = systemPrompt === this.#state.systemPrompt;
      if (known !== undefined && known.cache === cache && isSame) return known.prompt;
      this.#step.giveUpRequest();
      this.#step.see(await this.#lookout.look());
      const view = { ...viewOf(this.#state, cache), systemPrompt };
      const decision = checkDecision(view, policy.decide(view, prices));
      const prompt = renderer.render(view, decision);
      const hash = this.#hasher.hash(prompt);
      this.#step.open({ cache, decision, prompt, hash, basis: this.#heads.basis });
      if (!isSame) this.#step.redactions += cleaner.redactions;
      this.#state.systemPrompt = systemPrompt;
      return prompt;
    });
  }

  record(record: StepRecord): Promise<StepReceipt> {
    return this.#inTurn(async () => {
      const clean = cleanRecord(record, this.#parts.redact, this.#step);
      const isRepeated = this.#unsettled !== undefined && sameRecord(this.#unsettled.record, clean);
      const settled = await this.#settle();
      const receipt = isRepeated && settled !== undefined ? settled : await this.#write(clean);
      this.#lookout.follow(this.#state.inSight.keys());
      return receipt;
    });
  }

  command(command: SetCommand): Promise<CommandOutcome> {
    return this.#whenSettled(() => runCommand(this.#commandContext(), command));
  }

  /** Brings a file that another session stored into this one, where the option `discover` covers it. */
  adopt(id: string): Promise<CommandOutcome> {
    return this.#whenSettled(() => runCommand(this.#commandContext(), { action: "adopt", id }));
  }

  /** What the agent saw of a file, newest first: which lines of which version, and in which call's output. */
  seen(idOrAlias: string): readonly SeenPart[] {
    return seenParts(this.#state, this.#state.aliases.resolve(idOrAlias));
  }

  objects(): Promise<readonly LeveledObject[]> {
    return this.#inTurn(async () => leveledObjects(this.#state));
  }

  list(query: ListQuery): Promise<ObjectList> {
    return this.#inTurn(() => listObjects(this.#state, this.#parts.discovery, query));
  }

  promptAt(n: number): Promise<RebuiltPrompt> {
    return this.#inTurn(() => rebuildPrompt(this.#parts.store, { session: this.session, n }, this.#parts.rendererFor));
  }

  /** How far this client follows each file of the session (SSOT 5.9), in the order of the index. */
  tracking(): readonly FileTracking[] {
    const { sets, objects } = this.#state;
    return this.#lookout.states([...sets.index].filter((id) => objects.get(id)?.kind === "file"));
  }

  /** What policies see now; plain data, for reports. */
  view(): ContextView {
    return viewOf(this.#state, "warm");
  }

  /** The chat in the shape of SSOT 2.5. */
  chat(): ChatView {
    return chatView(this.#state);
  }

  /** The session wrapper in the shape of SSOT 3.1. */
  wrapper(): SessionView {
    return sessionView(this.#state);
  }

  /** Waits for what is under way and follows no file any more. Store and sources stay open: they were handed in. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#queue;
    await this.#lookout.close();
  }

  async #write(record: CleanRecord): Promise<StepReceipt> {
    for (let attempt = 1; attempt <= limits.commitAttemptsMax; attempt += 1) {
      const { request, messages, lateTouches } = this.#step;
      if (request === undefined)
        throw sessionError("session/no-request", "No request is open; assemble one before its answer is recorded.");
      const recordedAtMs = this.#parts.now();
      const observedBefore = this.#step.observed;
      const { adopted } = this.#step;
      const draft = { ...record, request, incoming: messages, observedBefore, adopted, lateTouches, recordedAtMs };
      const { plan, receipt } = await this.#step.fromRequest((changesSince) =>
        writeStep(this.#context(), { ...draft, changesSince }),
      );
      if (receipt !== undefined) return this.#recorded(plan, receipt);
      this.#unsettled = { plan, record };
      const settled = await this.#settle();
      if (settled !== undefined) return settled;
    }
    throw sessionError("session/busy", `The session ${this.session} could not be written; try again.`);
  }

  /**
   * Repeats the commit whose answer was lost, as it was. Undefined: there was none, or it had not been written and can
   * no longer be, because another writer was faster. What the store throws leaves the question open.
   */
  async #settle(): Promise<StepReceipt | undefined> {
    for (let repeat = 1; this.#unsettled !== undefined; repeat += 1) {
      const { plan } = this.#unsettled;
      try {
        return this.#recorded(plan, await commitPlan(this.#parts.store, plan));
      } catch (error) {
        if (isCmError(error, "store/conflict")) this.#unsettled = undefined;
        else if (!isCmError(error, "store/unknown-outcome") || repeat >= limits.commitRepeatsMax) throw error;
      }
    }
    return undefined;
  }

  /** The only place where a written step becomes part of what the session knows. */
  #recorded(plan: StepPlan, receipt: CommitReceipt): StepReceipt {
    const { prices, renderer } = this.#parts;
    this.#step.takeBack();
    finish(this.#state, plan.step, plan.objects, prices);
    this.#state.sent = plan.request.prompt;
    this.#heads = headsAfterCommit(plan, receipt);
    this.#storedSystemPrompt = this.#state.systemPrompt;
    this.#unsettled = undefined;
    this.#step = new OpenStep(this.#state, renderer.residency);
    return { n: plan.step.n, basis: receipt.basis, decision: plan.request.decision };
  }

  #commandContext(): CommandContext {
    return { state: this.#state, step: this.#step, lookout: this.#lookout, discovery: this.#parts.discovery };
  }

  #context(): StepContext {
    const { store, files, renderer, keyframeEverySteps, poolEntriesMax, pause } = this.#parts;
    return {
      client: this.#client,
      store,
      files,
      keyframeEverySteps,
      poolEntriesMax,
      state: this.#state,
      heads: this.#heads,
      others: this.#others,
      pause,
      residency: renderer.residency,
      systemPromptChanged: this.#storedSystemPrompt !== this.#state.systemPrompt,
    };
  }

  /** For what builds on the newest step: that must be known to be written, or known not to be. */
  #whenSettled<T>(task: () => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      await this.#settle();
      return task();
    });
  }

  /** Runs after everything that was asked before, whatever became of it. */
  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(sessionError("session/closed", `The session ${this.session} is closed.`));
    const result = this.#queue.then(task);
    this.#queue = result.catch(() => undefined);
    return result;
  }
}
