import type { TaskFields, WorkspaceFields } from "../documents/types.ts";
import { liveSession } from "../records/live.ts";
import type { Setting } from "../setting.ts";

interface Page {
  readonly limit?: number;
  readonly cursor?: string;
}

/** Workspaces that are there, newest first; of one owner, or of all. */
export async function listWorkspaces(
  { records }: Setting,
  { tenantId, userId, ...page }: Page & { readonly tenantId?: string; readonly userId?: string } = {},
): Promise<{ readonly workspaces: readonly WorkspaceFields[]; readonly next?: string }> {
  const ofTenant = tenantId === undefined ? {} : { tenant_id: tenantId };
  const ofUser = userId === undefined ? {} : { user_id: userId };
  const where = { state: "live", ...ofTenant, ...ofUser };
  const { rows, next } = await records.find("workspace", where, { ...page, order: "newest" });
  const workspaces = rows.map(({ fields }) => fields);
  return next === undefined ? { workspaces } : { workspaces, next };
}

/** Tasks of a session, newest first. @throws CmError `workspace/not-found` */
export async function listTasks(
  { records }: Setting,
  sessionId: string,
  page: Page = {},
): Promise<{ readonly tasks: readonly TaskFields[]; readonly next?: string }> {
  await liveSession(records, sessionId);
  const { rows, next } = await records.find(
    "task",
    { session_id: sessionId, state: "live" },
    { ...page, order: "newest" },
  );
  const tasks = rows.map(({ fields }) => fields);
  return next === undefined ? { tasks } : { tasks, next };
}
