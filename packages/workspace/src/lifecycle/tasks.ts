import { type ApprovalMode, acceptsTask, checkMaxSteps, stepAllowance, type TaskEnding } from "@cm/governance";
import { checkId, taskObject } from "../documents/ids.ts";
import type { SessionFields, TaskFields } from "../documents/types.ts";
import { failure, invalid, notFound } from "../errors.ts";
import { limits } from "../limits.ts";
import { liveSession } from "../records/live.ts";
import { changed, created, type ReadRecord, unchanged } from "../records/records.ts";
import type { Setting } from "../setting.ts";
import { historyWrites, type ThreadMessage } from "./history.ts";

export interface TaskRequest {
  readonly taskId: string;
  readonly prompt: string;
  readonly maxSteps: number;
  readonly allowNetwork: boolean;
  readonly approvalMode: ApprovalMode;
}

/**
 * `isContinued`: the task was incomplete, and goes on behind its last step, its prompt being in the thread already.
 * @throws CmError `workspace/refused` where the session does not run, `workspace/conflict` where the task has ended
 */
export async function startTask(
  { records, now }: Setting,
  sessionId: string,
  request: TaskRequest,
): Promise<{ readonly task: TaskFields; readonly isContinued: boolean }> {
  const { taskId, prompt } = request;
  const id = taskObject(sessionId, checkId("taskId", taskId));
  const maxSteps = checkMaxSteps(request.maxSteps);
  if (prompt.length > limits.messageCharsMax) throw invalid("prompt", "The prompt is too long; put it into a file.");
  return records.change<{ readonly task: TaskFields; readonly isContinued: boolean }>(async () => {
    const { session, workspace } = await liveSession(records, sessionId);
    if (!acceptsTask(session.fields.status)) {
      throw failure("workspace/refused", "The session does not run, so it takes no task; resume it, or begin another.");
    }
    const known = await records.get("task", id);
    if (known !== undefined) {
      if (known.fields.status !== "running") throw ended();
      return { writes: [], result: { task: known.fields, isContinued: true } };
    }
    const at = now();
    const { workspace_id, tenant_id, user_id, task_count } = session.fields;
    const task: TaskFields = {
      content: null,
      workspace_id,
      session_id: sessionId,
      task_id: taskId,
      state: "live",
      tenant_id,
      user_id,
      prompt,
      max_steps: maxSteps,
      allow_network: request.allowNetwork,
      approval_mode: request.approvalMode,
      status: "running",
      steps: 0,
      reason: null,
      started_at: at,
      ended_at: null,
    };
    return {
      writes: [
        created("task", id, task),
        changed("governed_session", session, { task_count: task_count + 1, last_task_at: at }),
        changed("workspace", workspace, { last_active_at: Math.max(at, workspace.fields.last_active_at) }),
      ],
      result: { task, isContinued: false },
    };
  });
}

/** What a step that ended says of its task. `warns` once in its life; told again of the same step, it counts more tokens alone. */
export interface StepNoted {
  readonly warns: boolean;
  readonly isUsedUp: boolean;
  readonly left: number;
}

/**
 * @param taken how many steps the task has taken, this one included; a recovered task counts on
 * @param tokensUsed tokens that the session has used altogether: after a crash they are still used
 */
export async function noteStep(
  { records }: Setting,
  named: { readonly sessionId: string; readonly taskId: string },
  { taken, tokensUsed = 0 }: { readonly taken: number; readonly tokensUsed?: number },
): Promise<StepNoted> {
  return records.change(async () => {
    const { session, workspace } = await liveSession(records, named.sessionId);
    const task = await runningTask(records, named);
    const { max_steps, steps } = task.fields;
    if (!Number.isInteger(taken) || taken < 0 || taken > max_steps) {
      throw invalid("taken", `The task has 0 to ${max_steps} steps.`);
    }
    const allowance = stepAllowance(max_steps, taken);
    const isNext = taken > steps;
    const isMore = tokensUsed > session.fields.tokens_used;
    const result = isNext ? allowance : { ...allowance, warns: false };
    if (!isNext && !isMore) return { writes: [], result };
    const used = isMore ? [changed("governed_session", session, { tokens_used: tokensUsed })] : [];
    const told = isNext ? changed("task", task, { steps: taken }) : unchanged("task", task);
    return { writes: [told, ...used, unchanged("workspace", workspace)], result };
  });
}

export interface TaskEnd {
  readonly status: TaskEnding;
  /** Such as `max_steps_exceeded`. */
  readonly reason?: string;
  /** The whole thread, in order: it replaces the session's history, also where the task failed or was cancelled. */
  readonly messages: readonly ThreadMessage[];
  /** Tokens that the session has used altogether. */
  readonly tokensUsed?: number;
}

/** @throws CmError `workspace/conflict` where it has ended, `workspace/not-found` for another session's */
export async function endTask(
  { records, now }: Setting,
  named: { readonly sessionId: string; readonly taskId: string },
  { status, reason, messages, tokensUsed }: TaskEnd,
): Promise<TaskFields> {
  return records.change(async () => {
    const at = now();
    const { session, workspace } = await liveSession(records, named.sessionId);
    const task = await runningTask(records, named);
    const changes: Partial<TaskFields> = { status, reason: reason ?? null, ended_at: at };
    const used: Partial<SessionFields> = { tokens_used: tokensUsed ?? session.fields.tokens_used, last_task_at: at };
    return {
      writes: [
        ...(await historyWrites(records, { session, workspace }, { taskId: named.taskId, messages, at })),
        changed("task", task, changes),
        changed("governed_session", session, used),
        changed("workspace", workspace, { last_active_at: Math.max(at, workspace.fields.last_active_at) }),
      ],
      result: { ...task.fields, ...changes },
    };
  });
}

async function runningTask(
  records: Setting["records"],
  { sessionId, taskId }: { readonly sessionId: string; readonly taskId: string },
): Promise<ReadRecord<"task">> {
  const task = await records.get("task", taskObject(sessionId, taskId));
  if (task?.fields.state !== "live") throw notFound("task");
  if (task.fields.status !== "running") throw ended();
  return task;
}

const ended = () => failure("workspace/conflict", "The task has ended already; begin another.");

/** Undefined where there is none, or it was deleted. */
export async function readTask(
  { records }: Setting,
  { sessionId, taskId }: { readonly sessionId: string; readonly taskId: string },
): Promise<TaskFields | undefined> {
  const task = await records.get("task", taskObject(sessionId, taskId));
  return task?.fields.state === "live" ? task.fields : undefined;
}

/** Tasks of a session that never ended: what a crash leaves. */
export async function runningTasks({ records }: Setting, sessionId: string): Promise<readonly TaskFields[]> {
  await liveSession(records, sessionId);
  const tasks: TaskFields[] = [];
  for await (const { fields } of records.every("task", { session_id: sessionId, status: "running", state: "live" })) {
    tasks.push(fields);
  }
  return tasks;
}
