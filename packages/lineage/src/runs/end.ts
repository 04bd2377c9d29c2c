import { defined, isCmError, type Write } from "@cm/object-model";
import type { LineageContext } from "../context.ts";
import { foldDisplay } from "../display/fold-display.ts";
import type { RunFields, RunSummary, StepState } from "../documents/types.ts";
import { fault, invalid, overLimit } from "../errors.ts";
import { lineageLimits } from "../limits.ts";
import { changed, type Stored } from "../records/records.ts";
import { checkMove } from "../rules/status.ts";
import { sumOfUsage } from "../rules/usage.ts";
import type { RunState } from "../state/contract.ts";
import { failedFields, failureWrites, postOf } from "./failure.ts";
import { forgetState } from "./forget-state.ts";
import { type Run, readRun, runOf } from "./run.ts";
import type { RunEnd } from "./run-end.ts";

/** A committed run; `displayLost` says why its display messages could not be kept. */
export interface CommittedRun {
  readonly run: Run;
  readonly displayLost?: Error;
}

/**
 * Commits a run: its state first, then the index. Where the state cannot be written the run fails.
 * @throws CmError `lineage/state-unwritten`, `lineage/bad-move` for a run that has ended, `lineage/not-ours`
 */
export async function commitRun(context: LineageContext, id: string, end: RunEnd): Promise<CommittedRun> {
  checkEnd(end);
  return inTurn(context, id, () => commitInTurn(context, id, end));
}

async function commitInTurn(context: LineageContext, id: string, end: RunEnd): Promise<CommittedRun> {
  const run = await readRun(context.records, id);
  checkOurs(context, run, end.status);
  await keepState(context, run, end);
  const displayLost = await keepDisplay(context, id, end.display);
  try {
    const committed = await writeEnd(context, id, end.status, (stored) => committedFields(context, stored, end));
    return { run: committed, ...defined({ displayLost }) };
  } catch (error) {
    // Another process has failed the run meanwhile: what stands in the state store belongs to no run.
    if (isEndedElsewhere(error)) await forgetUnlessKept(context, id);
    throw error;
  }
}

/** Ends a run without a state. @throws CmError `lineage/bad-move`, `lineage/not-ours` */
export async function failRun(context: LineageContext, id: string, reason: string): Promise<Run> {
  return inTurn(context, id, () => failInTurn(context, id, reason));
}

/** A run that another process has ended does not run here any more either. */
async function inTurn<T>({ ends, registry }: LineageContext, id: string, work: () => Promise<T>): Promise<T> {
  try {
    return await ends.run(id, work);
  } catch (error) {
    if (isEndedElsewhere(error)) registry.remove(id);
    throw error;
  }
}

const isEndedElsewhere = (error: unknown): boolean =>
  isCmError(error, "lineage/bad-move") || isCmError(error, "lineage/not-ours");

async function failInTurn(context: LineageContext, id: string, reason: string): Promise<Run> {
  const run = await writeEnd(context, id, "failed", undefined, reason);
  await forgetState(context, id);
  return run;
}

/** The end of an interrupted run: with what it could still export it is committed, otherwise it has failed. */
export async function endInterrupted(context: LineageContext, id: string, end: RunEnd | undefined): Promise<Run> {
  if (end === undefined) return failRun(context, id, interrupted);
  return (await commitRun(context, id, end)).run;
}

const interrupted = "The run was interrupted.";

/** Whether it has failed because it was interrupted before it had anything. */
export const wasInterrupted = ({ failure }: Pick<Run, "failure">): boolean => failure === interrupted;

async function forgetUnlessKept(context: LineageContext, id: string): Promise<void> {
  const run = await context.records.read("run", id);
  if (run?.fields.status === "failed") await forgetState(context, id);
}

async function keepState(context: LineageContext, { id }: Stored<RunFields>, { state }: RunEnd): Promise<void> {
  if (isStepState(state)) return;
  try {
    if (context.states === undefined) throw invalid("state", "There is no state store; open one, or commit a step.");
    await context.states.writeState(id, state);
  } catch (error) {
    await failInTurn(context, id, "Its state could not be written.");
    if (isCmError(error) && error.code !== "lineage/state-unwritten") throw error;
    const message = `The state of the run ${id} could not be written, so it has failed; look at the state store.`;
    throw fault("lineage/state-unwritten", message, { id }, isCmError(error) ? error.cause : error);
  }
}

/** Losing only the display messages fails no commit. */
async function keepDisplay(
  { states }: LineageContext,
  id: string,
  display: RunEnd["display"],
): Promise<Error | undefined> {
  if (display === undefined) return undefined;
  if (states === undefined) return invalid("display", "There is no state store for display messages; open one.");
  try {
    await states.writeDisplay(id, foldDisplay(display));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new TypeError("What was thrown is no error.");
  }
}

/** The run's end and what belongs to it, in one transaction. */
async function writeEnd(
  context: LineageContext,
  id: string,
  status: RunFields["status"],
  committed?: (run: Stored<RunFields>) => Partial<RunFields>,
  reason = "",
): Promise<Run> {
  const { records, registry, now } = context;
  const fields = await records.change(async () => {
    const run = await readRun(records, id);
    checkOurs(context, run, status);
    if (committed === undefined) {
      const failure = { reason, nowMs: now() };
      const writes = [...(await failureWrites(context, run, failure)), ...(await freedConversation(context, run))];
      return { writes, result: { ...run.fields, ...failedFields(failure) } };
    }
    const changes = committed(run);
    return { writes: await commitWrites(context, run, changes), result: { ...run.fields, ...changes } };
  });
  registry.remove(id);
  return runOf({ id, fields, token: "" });
}

async function commitWrites(
  context: LineageContext,
  run: Stored<RunFields>,
  changes: Partial<RunFields>,
): Promise<readonly Write[]> {
  const post = run.fields.session_type === "async_subagent" ? [postOf(run, "result")] : [];
  return [changed("run", run, changes), ...post, ...(await freedConversation(context, run))];
}

/** What commits a run of another process, whose state is a step. @throws CmError `lineage/limit`, `lineage/invalid` */
export async function endWrites(
  context: LineageContext,
  run: Stored<RunFields>,
  end: RunEnd & { readonly state: StepState },
): Promise<readonly Write[]> {
  checkEnd(end);
  return commitWrites(context, run, committedFields(context, run, end));
}

/** The conversation without the claim of an agent run that ends. */
export async function freedConversation(
  { records, now }: LineageContext,
  { id, fields }: Stored<RunFields>,
): Promise<readonly Write[]> {
  if (fields.session_type !== "agent") return [];
  const conversation = await records.read("conversation", fields.conversation_id);
  if (conversation?.fields.running !== id) return [];
  const updated_at = Math.max(conversation.fields.updated_at, now());
  return [changed("conversation", conversation, { running: null, updated_at })];
}

function committedFields(
  { now }: LineageContext,
  { fields }: Stored<RunFields>,
  { status, state, output, usage = {}, durationMs, pending = [] }: RunEnd,
): Partial<RunFields> {
  const nowMs = now();
  const summary: RunSummary = {
    duration_ms: Math.round(durationMs ?? Math.max(0, nowMs - fields.created_at)),
    usage: sumOfUsage(Object.values(usage)),
    usage_by_model: { ...usage },
  };
  return {
    status,
    is_snapshot: true,
    state: isStepState(state) ? state : "stored",
    output: output ?? null,
    run_summary: summary,
    pending: [...pending],
    ended_at: nowMs,
  };
}

function checkOurs({ ownership }: LineageContext, run: Stored<RunFields>, to: RunFields["status"]): void {
  checkMove(run.id, run.fields.status, to);
  if (ownership.isOurs(run.fields)) return;
  throw fault("lineage/not-ours", `The run ${run.id} is another process's; let that one end it.`, { id: run.id });
}

function checkEnd({ status, output, usage = {}, pending = [] }: RunEnd): void {
  if (status !== "committed" && status !== "awaiting_tool_results") {
    throw invalid("status", "A commit ends in committed or awaiting_tool_results; for another end fail the run.");
  }
  const bytes = Buffer.byteLength(output ?? "");
  if (bytes > lineageLimits.outputBytesMax) throw overLimit("outputBytesMax", bytes);
  const models = Object.keys(usage).length;
  if (models > lineageLimits.modelsMax) throw overLimit("modelsMax", models);
  if (pending.length > lineageLimits.pendingCallsMax) throw overLimit("pendingCallsMax", pending.length);
  if (status === "committed" && pending.length > 0) {
    throw invalid("pending", "Calls wait, so the run is awaiting_tool_results; commit it as that.");
  }
}

const isStepState = (state: StepState | RunState): state is StepState => "step" in state && "basis" in state;
