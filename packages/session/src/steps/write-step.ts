import { type Checkout, type CommitReceipt, isCmError, type ObjectStore, type StepAddress } from "@cm/object-model";
import { checkLimit } from "../incoming/check-limit.ts";
import type { Merge } from "./other-writers.ts";
import { planStep, type StepContext, type StepDraft, type StepPlan } from "./plan-step.ts";
import { Race } from "./race.ts";
import type { SessionHeads } from "./read-path.ts";
import { retryOnConflict } from "./retry-on-conflict.ts";
import { settleToolcalls } from "./settle-toolcalls.ts";
import { draftToolcalls, separateDrafts } from "./toolcall-documents.ts";

/** Without a receipt the step may be written or not: then the same plan is committed again before anything else. */
export interface StepOutcome {
  readonly plan: StepPlan;
  readonly receipt?: CommitReceipt;
}

/** What goes on beside the writing of a step. */
export interface Beside {
  /** The working copies as somebody tells them; it never fails. */
  readonly checkouts: Promise<readonly Checkout[] | undefined>;
  /** Called when all files of the step were looked at, and the store is asked. Never throws. */
  onCommit(): void;
}

/**
 * Writes a step in one commit: new objects, new versions, the step, the heads. Where another writer was faster, what
 * it changed is read again and merged; the number of attempts is bounded.
 * @throws CmError `session/busy`, `session/invariant`, or what the store throws; nothing was written then
 */
export async function writeStep(
  context: StepContext,
  facts: Omit<StepDraft, "checkouts">,
  beside: Beside,
): Promise<StepOutcome> {
  const { store, state, files } = context;
  const touches = [...facts.lateTouches, ...facts.results.flatMap((result) => result.files)];
  checkLimit("touchesPerStepMax", touches.length);
  const [found, checkouts] = await Promise.all([files.index(touches), beside.checkouts]);
  let indexed = found;
  const draft = { ...facts, checkouts };
  let heads = context.heads;
  let merge: Merge | undefined;
  const step: StepAddress = { session: state.session, n: heads.session.next_step };
  const { openCalls } = state;
  const toolcalls = draftToolcalls(draft.results, draft.answer.calls, { openCalls, step, place: 0 });
  const race = new Race(context, draft.request.changesBefore, draft.recordedAtMs);
  ({ heads, merge } = (await race.lookFirst()) ?? { heads, merge });
  let stepId = "";
  const lost = async (ids: ReadonlySet<string>): Promise<void> => {
    await settleToolcalls(store, state, toolcalls, { lost: ids, indexed });
    if ([...indexed.keys()].some((id) => ids.has(id))) indexed = await files.index(touches);
    if (ids.has(heads.session["xt/id"]) || ids.has(heads.chat["xt/id"]) || ids.has(stepId)) {
      ({ heads, merge } = await race.lost());
    }
  };
  const busy = `Other writers of session ${state.session} kept winning; nothing was written, try again.`;
  return retryOnConflict({ session: state.session, busy, lost }, async () => {
    separateDrafts(toolcalls, (id) => state.objects.has(id));
    const plan = planStep(context, draft, { indexed, toolcalls, heads, merge });
    stepId = plan.step["xt/id"];
    try {
      const committed = commitPlan(store, plan);
      beside.onCommit();
      const receipt = await committed;
      files.confirm(indexed.keys());
      race.won();
      return { plan, receipt };
    } catch (error) {
      if (isCmError(error, "store/unknown-outcome")) return { plan };
      throw error;
    }
  });
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
