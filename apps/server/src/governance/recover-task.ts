import { isDocumentOf, type ObjectStore, type StepAddress, sessionObjectId } from "@cm/object-model";
import type { LiveRun } from "../runs/live-run.ts";
import type { Runtime } from "../runs/runtime.ts";
import type { Governance } from "./governance.ts";

/**
 * A run that goes on with a task behind its last step, in the folders and with the preset of the run that was interrupted.
 * @throws CmError `server/not-found`, `server/policy`, `lineage/busy`
 */
export async function recoverTask(
  { sessionId, taskId }: { readonly sessionId: string; readonly taskId: string },
  governance: Governance,
  { runtime, store }: { readonly runtime: Runtime; readonly store: ObjectStore },
): Promise<LiveRun> {
  const interrupted = await runtime.lineage.run(taskId);
  const parent = interrupted.parent_session_id;
  const before = parent === null ? undefined : await runtime.lineage.state(parent);
  const from = before !== undefined && "step" in before ? (before.step as StepAddress) : undefined;
  const head = await headOf(from?.session ?? sessionId, store);
  const at = head !== undefined && (from === undefined || head.n > from.n) ? head : undefined;
  const { prompt } = await governance.recover(sessionId, taskId);
  const { workspace, projects } = interrupted.environment ?? {};
  return runtime.start(
    { kind: "continue", conversationId: sessionId },
    {
      ...{ preset: interrupted.preset_id ?? undefined, transport: "sse", workspace },
      folders: workspace === undefined ? projects : undefined,
      recovers: { taskId, prompt, at },
    },
  );
}

/** The newest step of a session: its log is the checkpoint. */
async function headOf(session: string, store: ObjectStore): Promise<StepAddress | undefined> {
  const id = sessionObjectId(session);
  const document = (await store.getMany([id])).get(id)?.document;
  if (document === undefined || !isDocumentOf(document, "session")) return undefined;
  return document.head ?? undefined;
}
