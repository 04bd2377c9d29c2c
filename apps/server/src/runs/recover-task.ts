import type { Run } from "@cm/lineage";
import type { ObjectStore } from "@cm/object-model";
import type { RecoveredTask } from "../governance/asked-task.ts";
import type { Governance } from "../governance/governance.ts";
import { isReadable, type TaskSteps, taskSteps } from "./checkpoint.ts";
import type { LiveRun } from "./live-run.ts";
import type { Runtime } from "./runtime.ts";

/**
 * A run that goes on with a task behind its last step, in the folders and with the preset of the run that was interrupted.
 * @throws CmError `server/not-found`, `server/session-ended`, `lineage/busy`
 */
export async function recoverTask(
  { sessionId, taskId }: { readonly sessionId: string; readonly taskId: string },
  governance: Governance,
  { runtime, store }: { readonly runtime: Runtime; readonly store: ObjectStore },
): Promise<LiveRun> {
  const { lineage } = runtime;
  const interrupted = await lineage.run(taskId);
  const { turns } = await lineage.turns(sessionId, { limit: 1 });
  const begins = wentOn(interrupted, turns[0]?.session_id)
    ? ({ at: undefined, from: "history" } as const)
    : await beginningOf(await taskSteps({ taskId }, { lineage, store }), store);
  const { prompt } = await governance.interruptedTask(sessionId, taskId);
  const { workspace, projects } = interrupted.environment ?? {};
  return runtime.start(
    { kind: "continue", conversationId: sessionId },
    {
      ...{ preset: interrupted.preset_id ?? undefined, transport: "sse", workspace },
      folders: workspace === undefined ? projects : undefined,
      recovers: { taskId, prompt, ...begins },
    },
  );
}

/** Whether others were committed since it began: behind its own last step nothing of them would be known. */
const wentOn = ({ parent_session_id: parent }: Run, newest: string | undefined): boolean =>
  newest !== undefined && newest !== parent;

/** Behind its last step; where that cannot be read, behind what the session had said before it; else with nothing. */
async function beginningOf(
  { newest, before }: TaskSteps,
  store: ObjectStore,
): Promise<Pick<RecoveredTask, "at" | "from">> {
  if (newest === undefined || (await isReadable(newest, store))) return { at: newest, from: "checkpoint" };
  const isKept = before !== undefined && (await isReadable(before, store));
  return { at: undefined, from: isKept ? "history" : "nothing" };
}
