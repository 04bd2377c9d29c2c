import { historyObject, workspaceObject } from "../documents/ids.ts";
import { type HistoryFields, ownedTypes, type RecordFields } from "../documents/types.ts";
import { notFound } from "../errors.ts";
import { limits } from "../limits.ts";
import { liveSession } from "../records/live.ts";
import { changed, type ReadRecord, type Records, unchanged, written } from "../records/records.ts";
import type { Setting } from "../setting.ts";

type OwnedType = (typeof ownedTypes)[number];

/** What a tombstone keeps: whose it was and when. */
const emptied: { readonly [Type in OwnedType]: Partial<RecordFields[Type]> } = {
  session_history: { state: "deleted", parts: [], messages: [] },
  history_part: { state: "deleted", messages: [] },
  thread_message: { state: "deleted", text: null, object: null },
  artifact: { state: "deleted", body: null, object: null, name: "" },
  task: { state: "deleted", prompt: null, reason: null },
  governed_session: { state: "deleted" },
};

export interface Deletion {
  readonly deleted: number;
  /** Batches that could not be written: delete again to finish. No query finds what they hold in any case. */
  readonly failedBatches: number;
}

/**
 * Deletes a workspace with all that it owns. The workspace goes first, and with it all readers' way to the rest. Deleted
 * again it finishes what an interruption left, and is not found once nothing is left. Files of projects are no part of it.
 * @throws CmError `workspace/not-found`
 */
export async function deleteWorkspace({ records }: Setting, workspaceId: string): Promise<Deletion> {
  const isFirst = await records.change(async () => {
    const found = await records.get("workspace", workspaceObject(workspaceId));
    if (found === undefined) throw notFound("workspace");
    const isLive = found.fields.state === "live";
    const gone = { state: "deleted", local_path: null } as const;
    return { writes: isLive ? [changed("workspace", found, gone)] : [], result: isLive };
  });
  const result = await deleteOwned(records, workspaceId);
  if (!isFirst && result.deleted === 0 && result.failedBatches === 0) throw notFound("workspace");
  return result;
}

/**
 * Deletes a session's history and leaves all others. Whether there was one; deleting it twice is no error.
 * @throws CmError `workspace/not-found`, or what the store throws: then some of it may be left, and is deleted when it is
 * asked again
 */
export async function deleteHistory(setting: Setting, sessionId: string): Promise<boolean> {
  let wasThere = false;
  for (let isLeft = true; isLeft; ) {
    const batch = await deleteSomeHistory(setting, sessionId);
    wasThere ||= batch.wasLive;
    isLeft = batch.isLeft;
  }
  return wasThere;
}

/**
 * A task may end meanwhile. So that no history names messages that are gone, each commit that takes some writes the
 * tombstone anew: a history that was made of them is not written then, and one that was written before goes, too.
 */
async function deleteSomeHistory(
  { records, now }: Setting,
  session_id: string,
): Promise<{ readonly wasLive: boolean; readonly isLeft: boolean }> {
  const id = historyObject(session_id);
  const some = { limit: limits.batchObjectsMax };
  return records.change(async () => {
    const { session, workspace } = await liveSession(records, session_id);
    const { workspace_id } = session.fields;
    const where = { workspace_id, session_id, state: "live" };
    const history = await records.get("session_history", id);
    const wasLive = history?.fields.state === "live";
    // A part that stayed would say that its messages are there.
    const parts = (await records.find("history_part", where, some)).rows;
    const messages = parts.length > 0 ? [] : (await records.find("thread_message", where, some)).rows;
    const isLeft = parts.length + messages.length > 0;
    if (!isLeft && !wasLive) return { writes: [], result: { wasLive, isLeft } };
    const tombstone: HistoryFields = {
      content: null,
      workspace_id,
      session_id,
      state: "deleted",
      snapshot_after_task: null,
      snapshot_at: Math.max(now(), (history?.fields.snapshot_at ?? 0) + 1),
      messages: [],
    };
    const writes = [
      { ...written("session_history", id, tombstone), expect: history?.token ?? "absent" },
      ...parts.map((row) => changed("history_part", row, emptied.history_part)),
      ...messages.map((row) => changed("thread_message", row, emptied.thread_message)),
      unchanged("workspace", workspace),
    ];
    return { writes, result: { wasLive, isLeft } };
  });
}

async function deleteOwned(records: Records, workspaceId: string): Promise<Deletion> {
  let [deleted, failedBatches] = [0, 0];
  const workspace = await records.get("workspace", workspaceObject(workspaceId));
  // A purge takes the rest.
  if (workspace?.fields.state !== "deleted") return { deleted, failedBatches };
  for (const type of ownedTypes) {
    const rows: ReadRecord<OwnedType>[] = [];
    for await (const row of records.every(type, { workspace_id: workspaceId, state: "live" })) rows.push(row);
    for (let at = 0; at < rows.length; at += limits.batchObjectsMax) {
      const batch = rows.slice(at, at + limits.batchObjectsMax);
      try {
        const writes = batch.map((row) => changed(type, row, emptied[type]));
        await records.commit([...writes, unchanged("workspace", workspace)]);
        deleted += batch.length;
      } catch {
        failedBatches += 1;
      }
    }
  }
  return { deleted, failedBatches };
}
