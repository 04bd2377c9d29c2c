import { governedEvent, sessionChain } from "@cm/governance";
import { appendEvents } from "../audit/append-events.ts";
import { workspaceObject } from "../documents/ids.ts";
import { ownedTypes } from "../documents/types.ts";
import { invalid } from "../errors.ts";
import { limits } from "../limits.ts";
import { changed, type ReadRecord } from "../records/records.ts";
import type { Setting } from "../setting.ts";

export interface PurgeOptions {
  /** Default: true, which says what would go and takes nothing. */
  readonly dryRun?: boolean;
  /** Default: `limits.inactiveDays`. */
  readonly inactiveDays?: number;
}

export interface PurgedWorkspace {
  readonly workspaceId: string;
  readonly sessions: readonly string[];
  readonly lastActiveAt: number;
  readonly objects: number;
  /** Tool calls that its artifacts and messages name: they belong to the sessions' logs, and stay. */
  readonly toolCalls: readonly string[];
}

const dayMs = 86_400_000;

/**
 * Takes workspaces for good that were not active for so long, deleted ones included, with all that they own and in every
 * version. Files of projects and tool calls are not theirs; the audit stays, and says what was taken from whom.
 */
export async function purge(setting: Setting, options: PurgeOptions = {}): Promise<readonly PurgedWorkspace[]> {
  const { dryRun = true, inactiveDays = limits.inactiveDays } = options;
  if (!(inactiveDays >= 1))
    throw invalid("inactiveDays", "A workspace is purged after one day without activity or more.");
  const before = setting.now() - inactiveDays * dayMs;
  const purged: PurgedWorkspace[] = [];
  const inactive: ReadRecord<"workspace">[] = [];
  for await (const workspace of setting.records.every("workspace", {})) {
    if (workspace.fields.last_active_at < before) inactive.push(workspace);
    if (inactive.length >= limits.purgedWorkspacesMax) break;
  }
  for (const workspace of inactive) {
    if (dryRun || (await isShut(setting, workspace))) {
      const { ids, ...facts } = await contentsOf(setting, workspace);
      if (!dryRun) {
        await recordPurge(setting, workspace, { ...facts, inactiveDays });
        await eraseAll(setting, [...ids, workspace.id]);
      }
      purged.push(facts);
    }
  }
  return purged;
}

/** First of all, unless it was in use meanwhile: nothing is written then in what is being erased. */
async function isShut({ records }: Setting, workspace: ReadRecord<"workspace">): Promise<boolean> {
  return records.change(async () => {
    const now = await records.get("workspace", workspaceObject(workspace.fields.workspace_id));
    if (now === undefined || now.fields.last_active_at !== workspace.fields.last_active_at) {
      return { writes: [], result: false };
    }
    const isPurged = now.fields.state === "purged";
    return { writes: isPurged ? [] : [changed("workspace", now, { state: "purged" })], result: true };
  });
}

async function contentsOf({ records }: Setting, { fields }: ReadRecord<"workspace">) {
  const ids: string[] = [];
  const toolCalls = new Set<string>();
  const sessions: string[] = [];
  for (const type of ownedTypes) {
    for await (const row of records.every(type, { workspace_id: fields.workspace_id })) {
      ids.push(row.id);
      if ("object" in row.fields && typeof row.fields.object === "string") toolCalls.add(row.fields.object);
      if (type === "governed_session") sessions.push(row.fields.session_id);
    }
  }
  const { workspace_id: workspaceId, last_active_at: lastActiveAt } = fields;
  return { ids, workspaceId, sessions, lastActiveAt, objects: ids.length + 1, toolCalls: [...toolCalls].sort() };
}

/** Before anything is taken: an interruption leaves no silent purge. One that goes on finds its events there. */
async function recordPurge(
  { records, now }: Setting,
  { fields }: ReadRecord<"workspace">,
  { sessions, objects, inactiveDays }: PurgedWorkspace & { readonly inactiveDays: number },
): Promise<void> {
  const { workspace_id: workspaceId, tenant_id: tenantId, user_id: userId } = fields;
  const events = sessions.map((sessionId) =>
    governedEvent("workspace_purged", {
      ...{ tenantId, userId, at: now(), component: "WorkspaceService", eventId: `purged-${sessionId}` },
      chain: sessionChain({ workspaceId, sessionId }),
      payload: { objects, inactiveDays },
    }),
  );
  for (let at = 0; at < events.length; at += limits.batchObjectsMax)
    await appendEvents(records, events.slice(at, at + limits.batchObjectsMax));
}

/** The workspace is the last: what an interruption leaves is found by it, and purged the next time. */
async function eraseAll({ records }: Setting, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += limits.batchObjectsMax) {
    await records.store.erase(ids.slice(at, at + limits.batchObjectsMax), "purge of an inactive workspace");
  }
}
