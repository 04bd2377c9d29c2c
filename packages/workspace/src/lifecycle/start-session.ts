import type { FeatureFlags } from "@cm/governance";
import { checkId, localWorkspaceId, sessionObject, workspaceObject } from "../documents/ids.ts";
import type { SessionFields, WorkspaceFields } from "../documents/types.ts";
import { failure, invalid, notFound } from "../errors.ts";
import { limits } from "../limits.ts";
import { liveSession, type WorkspaceRecord } from "../records/live.ts";
import { changed, created } from "../records/records.ts";
import type { Setting } from "../setting.ts";

export interface SessionRequest {
  readonly tenantId: string;
  readonly userId: string;
  readonly scope: "local" | "general" | "cloud";
  /** The project's folder, absolute: a local workspace is found by it. */
  readonly path?: string;
  /** An existing workspace of the same owner: it wins over scope and path. */
  readonly workspaceId?: string;
  readonly executionEnvironment: "desktop" | "cloud_sandbox";
  /** Until when the session's policy holds, in milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Until when it may be resumed, a policy that ran out included. Default: `expiresAt`. */
  readonly resumableUntil?: number;
  readonly featureFlags?: FeatureFlags;
  /** Default: a fresh one. */
  readonly sessionId?: string;
  /** The session whose history it goes on from. */
  readonly continuedFrom?: string;
  /** Absent for a client that is not compatible: such a session stays created and gets no bundle. */
  readonly policyBundleVersion?: string;
}

export interface StartedSession {
  readonly workspace: WorkspaceFields;
  readonly session: SessionFields;
  readonly isNewWorkspace: boolean;
}

interface Place {
  readonly fields: WorkspaceFields;
  /** Undefined for one that is made now. */
  readonly known: WorkspaceRecord | undefined;
}

/**
 * A session with its workspace, in one commit: no workspace is without a session, and no session without one.
 * @throws CmError `workspace/conflict` where the session's id is taken, as after a start whose answer was lost
 */
export async function startSession(setting: Setting, request: SessionRequest): Promise<StartedSession> {
  checkRequest(request);
  const { records, now, newId } = setting;
  const sessionId = checkId("sessionId", request.sessionId ?? newId());
  return records.change(async () => {
    if ((await records.takenOf([sessionObject(sessionId)])).size > 0) throw taken();
    const at = now();
    const place = await placeOf(setting, request, at);
    const { fields, known } = place;
    const workspace = { ...fields, last_active_at: Math.max(fields.last_active_at, at) };
    const session: SessionFields = {
      content: null,
      workspace_id: fields.workspace_id,
      session_id: sessionId,
      state: "live",
      tenant_id: request.tenantId,
      user_id: request.userId,
      execution_environment: request.executionEnvironment,
      status: "SESSION_CREATED",
      created_at: at,
      expires_at: request.expiresAt,
      resumable_until: request.resumableUntil ?? request.expiresAt,
      feature_flags: request.featureFlags ?? {},
      policy_bundle_version: request.policyBundleVersion ?? null,
      continued_from: request.continuedFrom ?? null,
      tokens_used: 0,
      task_count: 0,
      last_task_at: null,
    };
    const id = workspaceObject(fields.workspace_id);
    return {
      writes: [
        known === undefined ? created("workspace", id, workspace) : changed("workspace", known, workspace),
        created("governed_session", sessionObject(sessionId), session),
      ],
      result: { workspace, session, isNewWorkspace: known === undefined },
    };
  });
}

const taken = () =>
  failure("workspace/conflict", "There is a session of this id, or there was one; resume it, or take another id.");

function checkRequest({ tenantId, userId, scope, path, workspaceId }: SessionRequest): void {
  const isName = (name: string) => name.length > 0 && name.length <= limits.nameCharsMax;
  if (!isName(tenantId) || !isName(userId)) throw invalid("tenantId, userId", "A session has a tenant and a user.");
  if (scope !== "local" || workspaceId !== undefined) return;
  const isPath = path !== undefined && path.length <= limits.pathCharsMax && /^(?:\/|[A-Za-z]:[\\/])/.test(path);
  if (!isPath) throw invalid("path", "A local workspace has the absolute path of its project; give it.");
}

async function placeOf(setting: Setting, request: SessionRequest, at: number): Promise<Place> {
  const { tenantId, userId, scope } = request;
  if (request.continuedFrom !== undefined) {
    const { session } = await liveSession(setting.records, request.continuedFrom);
    if (session.fields.tenant_id !== tenantId || session.fields.user_id !== userId) throw notFound("session");
  }
  if (request.workspaceId !== undefined) return explicitPlace(setting, request, request.workspaceId);
  const fields = (workspaceId: string): WorkspaceFields => ({
    content: null,
    workspace_id: workspaceId,
    state: "live",
    scope,
    tenant_id: tenantId,
    user_id: userId,
    local_path: scope === "local" ? pathOf(request) : null,
    created_at: at,
    last_active_at: at,
  });
  if (scope !== "local") return { fields: fields(checkId("workspaceId", setting.newId())), known: undefined };
  const owner = { tenantId, userId, path: pathOf(request) };
  for (let generation = 0; ; generation++) {
    const workspaceId = localWorkspaceId(owner, generation);
    const id = workspaceObject(workspaceId);
    // First: one that another client makes in between is found live.
    const isTaken = (await setting.records.takenOf([id])).has(id);
    const found = await setting.records.get("workspace", id);
    if (found?.fields.state === "live") return { fields: found.fields, known: found };
    if (!isTaken) return { fields: fields(workspaceId), known: undefined };
  }
}

/** Another owner's workspace is not found, as one that there is not. */
async function explicitPlace({ records }: Setting, request: SessionRequest, workspaceId: string): Promise<Place> {
  const found = await records.get("workspace", workspaceObject(workspaceId));
  const { state, tenant_id, user_id } = found?.fields ?? {};
  if (found === undefined || state !== "live" || tenant_id !== request.tenantId || user_id !== request.userId) {
    throw notFound("workspace");
  }
  return { fields: found.fields, known: found };
}

/** `/work/` is the folder `/work`. */
const pathOf = ({ path = "" }: SessionRequest): string => path.replace(/(?<=[^:\\/])[\\/]+$/, "");
