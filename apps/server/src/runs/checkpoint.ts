import { hasSessionEnded } from "@cm/governance";
import type { Lineage } from "@cm/lineage";
import { isCmError, isDocumentOf, type ObjectStore, type StepAddress, sessionObjectId } from "@cm/object-model";
import { sessionAt } from "@cm/session";
import { crashReport, type HistoryMessage, type IncompleteTask, type SessionFields } from "@cm/workspace";
import { serverError } from "../errors.ts";
import type { Governance } from "../governance/governance.ts";
import { startingPoint } from "./plan-run.ts";

/** A message of a checkpoint. When those of the task that goes on were said stands in no record of theirs. */
export type CheckpointMessage = Omit<HistoryMessage, "sessionId" | "isSystem" | "timestamp"> & {
  readonly timestamp: string | null;
};

/** The domain model's checkpoint, as a view: the step log and the records are where it is kept. */
export interface Checkpoint {
  readonly session: SessionFields;
  /** The task that runs, or that a crash interrupted. */
  readonly activeTask: IncompleteTask | null;
  /** Its newest step; what goes on begins behind it. */
  readonly cursor: StepAddress | null;
  readonly messages: readonly CheckpointMessage[];
}

interface Surroundings {
  readonly lineage: Pick<Lineage, "run" | "state">;
  /** Where the step logs are. */
  readonly store: ObjectStore;
}

/**
 * Where a session that has not ended stands.
 * @throws CmError `server/not-found` for one that has: it ended cleanly, and its history has what was said
 */
export async function readCheckpoint(
  sessionId: string,
  { workspaces }: Governance,
  surroundings: Surroundings,
): Promise<Checkpoint> {
  const session = await workspaces.readSession(sessionId);
  if (hasSessionEnded(session.status))
    throw serverError("server/not-found", "The session has ended and has no checkpoint; read its history.", {
      id: sessionId,
    });
  const activeTask = crashReport(await workspaces.runningTasks(sessionId)).at(-1) ?? null;
  const history = await workspaces.readHistory(sessionId);
  const steps = activeTask === null ? undefined : await taskSteps(activeTask, surroundings);
  const cursor = (steps === undefined ? await headOf(sessionId, surroundings.store) : steps.newest) ?? null;
  const said = activeTask === null ? [] : await saidIn(activeTask, cursor, surroundings.store);
  return { session, activeTask, cursor, messages: [...(history?.messages ?? []), ...said] };
}

export interface TaskSteps {
  /** The step that the task began behind. */
  readonly before: StepAddress | undefined;
  /** The task's newest step; undefined where it took none. */
  readonly newest: StepAddress | undefined;
}

/** @throws CmError `lineage/not-found` */
export async function taskSteps(
  { taskId }: { readonly taskId: string },
  { lineage, store }: Surroundings,
): Promise<TaskSteps> {
  const from = await startingPoint(await lineage.run(taskId), lineage);
  const before = from.kind === "root" ? undefined : from.at;
  const session = from.kind === "continue" ? from.at.session : from.session;
  const head = await headOf(session, store);
  const isOwn = head?.session === session && (before?.session !== session || head.n > before.n);
  return { before, newest: isOwn ? head : undefined };
}

/** Whether what led to a step can be read. @throws what the store throws */
export async function isReadable(step: StepAddress, store: ObjectStore): Promise<boolean> {
  try {
    await sessionAt(store, step);
    return true;
  } catch (error) {
    if (isCmError(error) && /^(?:session|model)\//.test(error.code)) return false;
    throw error;
  }
}

/** The newest step of a session: its log is the checkpoint. */
async function headOf(session: string, store: ObjectStore): Promise<StepAddress | undefined> {
  const id = sessionObjectId(session);
  const document = (await store.getMany([id])).get(id)?.document;
  if (document === undefined || !isDocumentOf(document, "session")) return undefined;
  return document.head ?? undefined;
}

/** What the task said so far, from the log: the prompt, and each answer with the results of its calls. */
async function saidIn(
  { taskId, prompt }: IncompleteTask,
  cursor: StepAddress | null,
  store: ObjectStore,
): Promise<readonly CheckpointMessage[]> {
  const messages: CheckpointMessage[] = [];
  const add = (role: CheckpointMessage["role"], content: string | null, step: number) =>
    messages.push({
      ...{ messageId: `${taskId}.checkpoint.${messages.length + 1}`, taskId, stepId: `step-${Math.max(1, step)}` },
      ...{ role, content, tokenCount: 0, timestamp: null },
    });
  add("user", prompt, 1);
  const { turns } = cursor === null ? { turns: [] } : (await sessionAt(store, cursor)).chat;
  const from = turns.findLastIndex(({ user }) => user.some(({ text }) => text === prompt));
  let step = 0;
  for (const { user, assistant } of from < 0 ? [] : turns.slice(from)) {
    for (const { text } of user) if (text !== prompt) add("user", text, step);
    for (const { text, calls } of assistant) {
      step += 1;
      add("assistant", text, step);
      const refs = calls.flatMap(({ toolcall_ref }) => toolcall_ref ?? []);
      const objects = await store.getMany(refs);
      for (const ref of refs) add("tool", objects.get(ref)?.document?.content ?? null, step);
    }
  }
  return messages;
}
