import type { StepReceipt } from "@cm/context-log";
import type { ContextLog, LogState } from "@cm/context-log/state";
import { type Checkout, type CommitReceipt, isCmError, type ObjectStore, type StepAddress } from "@cm/object-model";
import type { SessionHeads, SystemPromptText } from "@cm/step-log/load";
import { sessionError } from "../errors.ts";
import { isStoredInSight } from "../files/observed.ts";
import type { NewestWrites } from "../files/stored-files.ts";
import { checkLimit } from "../input/check-input.ts";
import { type CleanRecord, sameRecord } from "../input/clean.ts";
import { limits } from "../limits.ts";
import { afterConflict, type ConflictFork, type Lease, retryOnConflict } from "./contention.ts";
import { OpenStep } from "./open-step.ts";
import { planStep, type StepContext, type StepDraft, type StepPlan } from "./plan-step.ts";
import { draftToolcalls, separateDrafts, settleToolcalls } from "./toolcall-documents.ts";

type StepWriterOptions = Omit<StepContext, "state" | "heads" | "systemPromptChanged"> & {
  readonly log: ContextLog;
  readonly now: () => number;
  readonly heads: SessionHeads;
  /** The system prompt in the store; undefined where it is unknown. */
  readonly storedSystemPrompt: string | undefined;
};

/** A step whose commit got no answer: it is there, or the same commit makes it so. */
interface UnsettledStep {
  readonly plan: StepPlan;
  readonly record: CleanRecord;
}

/** Writes an open session's steps one after the other, and never loses or doubles one whose answer was lost. */
export class StepWriter {
  #options: StepWriterOptions;
  #heads: SessionHeads;
  #storedSystemPrompt: string | undefined;
  #step: OpenStep;
  #unsettled: UnsettledStep | undefined;
  /** Whether another session had the id of a call: such a provider numbers its calls anew in each session. */
  #callIdsTaken = false;

  constructor(options: StepWriterOptions) {
    this.#options = options;
    this.#heads = options.heads;
    this.#storedSystemPrompt = options.storedSystemPrompt;
    this.#step = new OpenStep(options.log, options.residency);
  }

  /** The step being made. */
  get step(): OpenStep {
    return this.#step;
  }

  /** What the session knows. */
  get state(): LogState {
    return this.#options.log.state;
  }

  get heads(): SessionHeads {
    return this.#heads;
  }

  /** Of the session that the next step is written to. */
  get lease(): Lease {
    return this.#options.lease;
  }

  /** Whether the store may have another system prompt than the session. */
  get isSystemPromptChanged(): boolean {
    return this.#storedSystemPrompt !== this.state.systemPrompt;
  }

  /** Goes on with a state that was loaded again. A system prompt that was erased is empty now. */
  restart({ log, systemPrompt }: { readonly log: ContextLog; readonly systemPrompt: SystemPromptText }): void {
    const isErased = systemPrompt === undefined && !this.isSystemPromptChanged;
    log.apply({ event: "system prompt", text: isErased ? "" : this.state.systemPrompt });
    this.#storedSystemPrompt = systemPrompt;
    this.#options = { ...this.#options, log };
    this.#step = new OpenStep(log, this.#options.residency);
  }

  /** @throws CmError `session/no-request`, `session/busy`, or what the store throws */
  async record(record: CleanRecord, hooks: StepHooks): Promise<StepReceipt> {
    const isRepeated = this.#unsettled !== undefined && sameRecord(this.#unsettled.record, record);
    const settled = await this.settle();
    return isRepeated && settled !== undefined ? settled : this.#write(record, hooks);
  }

  /**
   * Repeats the commit whose answer was lost, as it was. Undefined: there was none, or it had not been written and can
   * no longer be, because another writer was faster: then it becomes the first of a fork. What the store throws leaves the question open.
   */
  async settle(): Promise<StepReceipt | undefined> {
    for (let repeat = 1; this.#unsettled !== undefined; repeat += 1) {
      const { plan } = this.#unsettled;
      try {
        return await this.#recorded(plan, await commitPlan(this.#options.store, plan));
      } catch (error) {
        if (isCmError(error, "store/conflict")) this.#unsettled = undefined;
        else if (!isCmError(error, "store/unknown-outcome") || repeat >= limits.commitRepeatsMax) throw error;
      }
    }
    return undefined;
  }

  async #write(record: CleanRecord, hooks: StepHooks): Promise<StepReceipt> {
    const { session } = this.state;
    for (let attempt = 1; attempt <= limits.commitAttemptsMax; attempt += 1) {
      const { request, amended, messages, lateTouches, observed, adopted, resumed, restored } = this.#step;
      if (request === undefined)
        throw sessionError("session/no-request", "No request is open; assemble one before its answer is recorded.");
      const recordedAtMs = this.#options.now();
      const gathered = { request, amended, resumed, restored, incoming: messages, observedBefore: observed };
      const draft = { ...record, ...gathered, lateTouches, adopted, recordedAtMs };
      const { plan, receipt, callIdsTaken } = await this.#step.fromRequest((changesSince) =>
        writeStep(this.#context(), { ...draft, changesSince, callIdsTaken: this.#callIdsTaken }, hooks),
      );
      this.#callIdsTaken = callIdsTaken;
      if (receipt !== undefined) return this.#recorded(plan, receipt);
      this.#unsettled = { plan, record };
      const settled = await this.settle();
      if (settled !== undefined) return settled;
    }
    throw sessionError("session/busy", `The session ${session} could not be written; try again.`);
  }

  /** The only place where a written step becomes part of what the session knows. */
  async #recorded(plan: StepPlan, receipt: CommitReceipt): Promise<StepReceipt> {
    this.#unsettled = undefined;
    if (plan.fork !== undefined) this.goOnIn(plan.fork);
    const { prices, residency, log, files, lease } = this.#options;
    this.#heads = headsAfterCommit(plan, receipt);
    this.#storedSystemPrompt = log.state.systemPrompt;
    files.confirm(plan.writes.map(({ document }) => document["xt/id"]));
    lease.confirm(plan.writes);
    this.#step.revert();
    this.#step = new OpenStep(log, residency);
    log.apply({ event: "sent", prompt: plan.request.prompt });
    log.apply({ event: "finished", step: plan.step, objects: plan.objects, prices });
    if (plan.keyframe?.base !== undefined) log.apply({ event: "keyframe", base: plan.keyframe.base });
    const done = { n: plan.step.n, basis: receipt.basis, decision: plan.request.decision };
    return plan.fork === undefined ? done : { ...done, fork: plan.fork.fork, otherWriter: plan.fork.otherWriter };
  }

  /** The session that was left belongs to another writer from now on. */
  goOnIn({ fork, lease }: Pick<ConflictFork, "fork" | "lease">): void {
    this.#options.log.apply({ event: "forked", session: fork.session });
    this.#options = { ...this.#options, lease };
  }

  #context(): StepContext {
    return { ...this.#options, state: this.state, heads: this.#heads, systemPromptChanged: this.isSystemPromptChanged };
  }
}

/** Without a receipt the step may be written or not: then the same plan is committed again before anything else. */
interface StepOutcome {
  readonly plan: StepPlan;
  readonly receipt?: CommitReceipt;
  /** Whether ids of the session's calls were other sessions' calls, up to here. */
  readonly callIdsTaken: boolean;
}

/** Callbacks while a step is written. */
interface StepHooks {
  /** The working copies as sources tell them; it never fails. */
  readonly checkouts: Promise<readonly Checkout[] | undefined>;
  /** Called when all files of the step were looked at, and the store is asked. Never throws. */
  onCommit(): void;
}

/** Where the step goes: onto the session's newest step, or into a fork that leaves the session to another writer. */
interface Target {
  readonly context: StepContext;
  readonly fork?: ConflictFork;
}

/**
 * Writes a step in one commit: new objects, new versions, the step, the heads. A conflict over objects is tried again;
 * where another client wrote the session first, the step becomes the first of a fork. The number of attempts is bounded.
 * @throws CmError `session/busy`, `session/invariant`, or what the store throws; nothing was written then
 */
export async function writeStep(
  context: StepContext,
  facts: Omit<StepDraft, "checkouts"> & Partial<Pick<StepOutcome, "callIdsTaken">>,
  hooks: StepHooks,
): Promise<StepOutcome> {
  const { store, state, files } = context;
  const touches = [...facts.lateTouches, ...facts.results.flatMap((result) => result.files)];
  checkLimit("touchesPerStepMax", touches.length);
  const isInSight = isStoredInSight(state);
  const [found, checkouts] = await Promise.all([files.index(touches, isInSight), hooks.checkouts]);
  let indexed = found;
  const draft = { ...facts, checkouts };
  const step: StepAddress = { session: state.session, n: context.heads.session.next_step };
  const { openCalls } = state;
  let { callIdsTaken = false } = facts;
  const place = { step, place: 0, choice: callIdsTaken ? 1 : 0 };
  const toolcalls = draftToolcalls(draft.results, draft.answer.calls, { openCalls, ...place });
  let target: Target = { context };
  let forks = 0;
  let stepId = "";
  const lost = async (newest: NewestWrites): Promise<void> => {
    if (isOverHeads(newest, target.context.heads, stepId)) {
      target = await nextTarget(context, draft.recordedAtMs, forks + 1);
      if (target.fork !== undefined) forks += 1;
    }
    if (await settleToolcalls(store, target.context.state, toolcalls, { lost: newest, indexed })) callIdsTaken = true;
    indexed = await files.indexAgain(touches, indexed, { newest, isInSight });
  };
  const busy = `Other writers of session ${state.session} kept winning; nothing was written, try again.`;
  return retryOnConflict({ session: state.session, busy, lost }, async () => {
    separateDrafts(toolcalls, (id) => state.objects.has(id));
    const plan = planStep(target.context, draft, { indexed, toolcalls, fork: target.fork });
    stepId = plan.step["xt/id"];
    try {
      const committed = commitPlan(store, plan);
      hooks.onCommit();
      const receipt = await committed;
      files.confirm(indexed.keys());
      return { plan, receipt, callIdsTaken };
    } catch (error) {
      if (isCmError(error, "store/unknown-outcome")) return { plan, callIdsTaken };
      files.failed(indexed.keys());
      throw error;
    }
  });
}

function isOverHeads(ids: NewestWrites, { session, chat }: SessionHeads, stepId: string): boolean {
  return [session["xt/id"], chat["xt/id"], stepId].some((id) => ids.has(id));
}

/** The system prompt is written anew: another writer may have changed it, and the request was made with ours. */
async function nextTarget(context: StepContext, nowMs: number, number: number): Promise<Target> {
  const next = await afterConflict({ ...context, nowMs }, number);
  if (!("fork" in next)) return { context: { ...context, heads: next.heads, systemPromptChanged: true } };
  const { state, heads, lease } = next;
  return { context: { ...context, state, heads, lease, systemPromptChanged: true }, fork: next };
}

/** Repeating it is safe: the request id makes it one commit. */
function commitPlan(store: ObjectStore, plan: StepPlan): Promise<CommitReceipt> {
  return store.commit(plan.writes, { requestId: plan.requestId });
}

/** The heads as they are after a plan's commit. */
function headsAfterCommit({ heads }: StepPlan, { basis, results }: CommitReceipt): SessionHeads {
  const token = (id: string) => results.find((result) => result.id === id)?.token ?? "";
  return { ...heads, sessionToken: token(heads.session["xt/id"]), chatToken: token(heads.chat["xt/id"]), basis };
}
