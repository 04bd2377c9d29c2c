import { sessionObject, workspaceObject } from "../documents/ids.ts";
import { notFound } from "../errors.ts";
import type { ReadRecord, Records } from "./records.ts";

export type WorkspaceRecord = ReadRecord<"workspace">;
export type SessionRecord = ReadRecord<"governed_session">;

/** @throws CmError `workspace/not-found` where it was never made, or was deleted */
export async function liveWorkspace(records: Records, workspaceId: string): Promise<WorkspaceRecord> {
  const found = await records.get("workspace", workspaceObject(workspaceId));
  if (found?.fields.state !== "live") throw notFound("workspace");
  return found;
}

/**
 * A session whose workspace is there: a deletion begins with the workspace, and from then on nothing of it is found.
 * @throws CmError `workspace/not-found`
 */
export async function liveSession(
  records: Records,
  sessionId: string,
): Promise<{ readonly session: SessionRecord; readonly workspace: WorkspaceRecord }> {
  const session = await records.get("governed_session", sessionObject(sessionId));
  if (session?.fields.state !== "live") throw notFound("session");
  const workspace = await records.get("workspace", workspaceObject(session.fields.workspace_id));
  if (workspace?.fields.state !== "live") throw notFound("session");
  return { session, workspace };
}
