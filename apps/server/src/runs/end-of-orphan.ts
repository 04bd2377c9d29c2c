import type { Lineage, Run } from "@cm/lineage";
import { isCmError, type ObjectStore } from "@cm/object-model";
import type { Governance } from "../governance/governance.ts";
import type { Presets } from "../presets/read-presets.ts";
import { taskSteps } from "./checkpoint.ts";
import { outcomeCutAt } from "./outcome-at.ts";
import { endOf } from "./run-end.ts";

interface Surroundings {
  readonly governance: Governance;
  readonly lineage: Pick<Lineage, "run" | "state">;
  readonly store: ObjectStore;
  readonly presets: Presets;
}

/**
 * A server may be killed between the end of a task and the end of its run. What the task is told to have done is in the
 * log by then, and the run ends so, too. A task that goes on after a crash has a run of another name, which fails.
 * @throws what a store throws: it is asked again. What cannot be read for another reason has no end that is known
 */
export async function endOfOrphan(run: Run, surroundings: Surroundings) {
  try {
    return await endOfTask(run, surroundings);
  } catch (error) {
    if (isCmError(error) && !error.code.startsWith("store/")) return undefined;
    throw error;
  }
}

async function endOfTask(run: Run, { governance, lineage, store, presets }: Surroundings) {
  const { session_id: taskId, conversation_id: sessionId, created_at, preset_id } = run;
  const task = await governance.workspaces.readTask({ sessionId, taskId });
  if (task === undefined || task.status === "running" || task.reason === "failed") return undefined;
  const { newest } = await taskSteps({ taskId }, { lineage, store });
  const outcome = newest && (await outcomeCutAt(newest, presets.get(preset_id ?? undefined).preset, store))?.outcome;
  const end = outcome && endOf(run, outcome, []);
  const durationMs = Math.max(0, (task.ended_at ?? created_at) - created_at);
  return end && { ...end, durationMs };
}
