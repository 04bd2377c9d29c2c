import { type Checkout, type CommitReceipt, isCmError, type ObjectStore, type StepAddress } from "@cm/object-model";
import type { SessionHeads } from "../history/read-path.ts";
import { checkLimit } from "../input/check-limit.ts";
import { afterConflict, type ConflictFork } from "./conflict-fork.ts";
import { planStep, type StepContext, type StepDraft, type StepPlan } from "./plan-step.ts";
import { retryOnConflict } from "./retry-on-conflict.ts";
import { settleToolcalls } from "./settle-toolcalls.ts";
import { draftToolcalls, separateDrafts } from "./toolcall-documents.ts";

/** Without a receipt the step may be written or not: then the same plan is committed again before anything else. */
export interface StepOutcome {
  readonly plan: StepPlan;
  readonly receipt?: CommitReceipt;
}

/** Callbacks while a step is written. */
export interface StepHooks {
  /** The working copies as somebody tells them; it never fails. */
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
  facts: Omit<StepDraft, "checkouts">,
  hooks: StepHooks,
): Promise<StepOutcome> {
  const { store, state, files } = context;
  const touches = [...facts.lateTouches, ...facts.results.flatMap((result) => result.files)];
  checkLimit("touchesPerStepMax", touches.length);
  const [found, checkouts] = await Promise.all([files.index(touches), hooks.checkouts]);
  let indexed = found;
  const draft = { ...facts, checkouts };
  const step: StepAddress = { session: state.session, n: context.heads.session.next_step };
  const { openCalls } = state;
  const toolcalls = draftToolcalls(draft.results, draft.answer.calls, { openCalls, step, place: 0 });
  let target: Target = { context };
  let forks = 0;
  let stepId = "";
  const lost = async (ids: ReadonlySet<string>): Promise<void> => {
    if (isOverHeads(ids, target.context.heads, stepId)) {
      target = await nextTarget(context, draft.recordedAtMs, forks + 1);
      if (target.fork !== undefined) forks += 1;
    }
    await settleToolcalls(store, target.context.state, toolcalls, { lost: ids, indexed });
    if ([...indexed.keys()].some((id) => ids.has(id))) indexed = await files.index(touches);
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
      return { plan, receipt };
    } catch (error) {
      if (isCmError(error, "store/unknown-outcome")) return { plan };
      throw error;
    }
  });
}

function isOverHeads(ids: ReadonlySet<string>, { session, chat }: SessionHeads, stepId: string): boolean {
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
export function commitPlan(store: ObjectStore, plan: StepPlan): Promise<CommitReceipt> {
  return store.commit(plan.writes, { requestId: plan.requestId });
}

/** The heads as they are after a plan's commit. */
export function headsAfterCommit({ heads }: StepPlan, { basis, results }: CommitReceipt): SessionHeads {
  const token = (id: string) => results.find((result) => result.id === id)?.token ?? "";
  return { ...heads, sessionToken: token(heads.session["xt/id"]), chatToken: token(heads.chat["xt/id"]), basis };
}
