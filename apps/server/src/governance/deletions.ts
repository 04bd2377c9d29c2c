import { sessionChain } from "@cm/governance";
import { defined } from "@cm/object-model";
import type { Workspaces } from "@cm/workspace";
import { limits } from "../limits.ts";
import type { EventLog } from "./event-log.ts";
import type { KnownSessions } from "./known-sessions.ts";
import type { RunningTasks } from "./running-tasks.ts";

export interface DeletionParts {
  readonly workspaces: Workspaces;
  readonly sessions: Pick<KnownSessions, "forget">;
  readonly tasks: Pick<RunningTasks, "checkIdle">;
  readonly events: EventLog;
  readonly fault: (what: string, error: unknown) => void;
}

const component = "WorkspaceService";

/**
 * Deletes a workspace with its sessions, histories and artifacts. Files of projects, snapshots of runs and the audit stay.
 * @throws CmError `workspace/not-found`, `server/session-busy` while a task runs in it
 */
export async function deleteWorkspace(
  workspaceId: string,
  { workspaces, sessions, tasks, events, fault }: DeletionParts,
): Promise<{ readonly sessions: number; readonly records: number }> {
  const { tenant_id: tenantId, user_id: userId } = await workspaces.readWorkspace(workspaceId);
  const inIt = await sessionsOf(workspaceId, workspaces);
  await tasks.checkIdle(inIt, { what: "workspace", id: workspaceId });
  const { deleted, failedBatches } = await workspaces.deleteWorkspace(workspaceId);
  if (failedBatches > 0)
    fault(
      `Of the workspace ${workspaceId} not all records could be emptied; no query finds them, and a purge takes them.`,
      new Error(`${failedBatches} batches failed.`),
    );
  for (const sessionId of inIt) {
    sessions.forget(sessionId);
    const chain = sessionChain({ workspaceId, sessionId });
    events.say("workspace_deleted", { chain, tenantId, userId, component, payload: { sessions: inIt.length } });
  }
  await events.flush();
  return { sessions: inIt.length, records: deleted };
}

async function sessionsOf(workspaceId: string, workspaces: Workspaces): Promise<readonly string[]> {
  const sessions: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await workspaces.listSessions(workspaceId, { limit: limits.pageRowsMax, ...defined({ cursor }) });
    sessions.push(...page.sessions.map(({ sessionId }) => sessionId));
    cursor = page.next;
  } while (cursor !== undefined);
  return sessions;
}

/**
 * Deletes what was said in a session. Whether there was anything; the audit says who it was taken from.
 * @throws CmError `workspace/not-found`, `server/session-busy` while a task runs in it
 */
export async function deleteHistory(
  sessionId: string,
  { workspaces, tasks, events }: Pick<DeletionParts, "workspaces" | "tasks" | "events">,
): Promise<boolean> {
  const fields = await workspaces.readSession(sessionId);
  await tasks.checkIdle([sessionId], { what: "session", id: sessionId });
  const wasThere = await workspaces.deleteHistory(sessionId);
  const chain = sessionChain({ sessionId, workspaceId: fields.workspace_id });
  if (wasThere) events.say("history_deleted", { chain, tenantId: fields.tenant_id, userId: fields.user_id, component });
  return wasThere;
}
