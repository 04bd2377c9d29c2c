import { type FeatureFlags, hasSessionEnded, moveSession, type SessionState } from "@cm/governance";
import type { SessionFields } from "../documents/types.ts";
import { failure } from "../errors.ts";
import { liveSession, liveWorkspace } from "../records/live.ts";
import { changed, unchanged } from "../records/records.ts";
import type { Setting } from "../setting.ts";

/** @throws CmError `governance/invalid-move`, `workspace/not-found` */
export async function setSessionState(
  { records }: Setting,
  sessionId: string,
  to: SessionState,
): Promise<SessionFields> {
  return records.change(async () => {
    const { session, workspace } = await liveSession(records, sessionId);
    if (to === "SESSION_RUNNING" && session.fields.policy_bundle_version === null) {
      throw failure("workspace/refused", "The session has no policy bundle, so it does not run; update its client.");
    }
    const status = moveSession(session.fields.status, to);
    return {
      writes: [changed("governed_session", session, { status }), unchanged("workspace", workspace)],
      result: { ...session.fields, status },
    };
  });
}

export interface Renewal {
  readonly expiresAt: number;
  /** Default: `expiresAt`. */
  readonly resumableUntil?: number;
  /** Default: those that it has. */
  readonly featureFlags?: FeatureFlags;
  /** Absent for a client that is not compatible: resuming is refused to it. */
  readonly policyBundleVersion?: string;
}

export type Resumed =
  | { readonly outcome: "resumed"; readonly session: SessionFields }
  | { readonly outcome: "refused"; readonly reason: "expired" | "ended" | "incompatible" };

/** Goes on with a session under another bundle. One whose policy ran out before fails, and is refused. */
export async function resumeSession(setting: Setting, sessionId: string, renewal: Renewal): Promise<Resumed> {
  const { records, now } = setting;
  return records.change<Resumed>(async () => {
    const { session, workspace } = await liveSession(records, sessionId);
    const written = (changes: Partial<SessionFields>) => [
      changed("governed_session", session, changes),
      unchanged("workspace", workspace),
    ];
    const { status, expires_at, resumable_until = expires_at, policy_bundle_version } = session.fields;
    const refused = (reason: "expired" | "ended" | "incompatible") => ({ outcome: "refused" as const, reason });
    if (hasSessionEnded(status)) return { writes: [], result: refused("ended") };
    if (renewal.policyBundleVersion === undefined || policy_bundle_version === null) {
      return { writes: [], result: refused("incompatible") };
    }
    if (now() >= resumable_until) {
      const failed = moveSession(status, "SESSION_FAILED");
      return { writes: written({ status: failed }), result: refused("expired") };
    }
    const changes: Partial<SessionFields> = {
      status: status === "SESSION_RUNNING" ? status : moveSession(status, "SESSION_RUNNING"),
      expires_at: renewal.expiresAt,
      resumable_until: renewal.resumableUntil ?? renewal.expiresAt,
      ...(renewal.featureFlags === undefined ? {} : { feature_flags: renewal.featureFlags }),
      policy_bundle_version: renewal.policyBundleVersion,
    };
    return {
      writes: written(changes),
      result: { outcome: "resumed", session: { ...session.fields, ...changes } },
    };
  });
}

export interface ListedSession {
  readonly sessionId: string;
  readonly status: SessionState;
  readonly createdAt: number;
  readonly lastTaskAt: number | null;
  readonly taskCount: number;
}

/** Newest first, a page at a time. */
export async function listSessions(
  { records }: Setting,
  workspaceId: string,
  page: { readonly limit?: number; readonly cursor?: string } = {},
): Promise<{ readonly sessions: readonly ListedSession[]; readonly next?: string }> {
  await liveWorkspace(records, workspaceId);
  const where = { workspace_id: workspaceId, state: "live" };
  const { rows, next } = await records.find("governed_session", where, { ...page, order: "newest" });
  const sessions = rows.map(({ fields }) => ({
    sessionId: fields.session_id,
    status: fields.status,
    createdAt: fields.created_at,
    lastTaskAt: fields.last_task_at,
    taskCount: fields.task_count,
  }));
  return next === undefined ? { sessions } : { sessions, next };
}
