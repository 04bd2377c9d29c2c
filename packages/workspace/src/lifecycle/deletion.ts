import { historyObject, sessionObject, workspaceObject } from "../documents/ids.ts";
import { ownedTypes, type RecordFields } from "../documents/types.ts";
import { failure, notFound } from "../errors.ts";
import { limits } from "../limits.ts";
import { changed, type ReadRecord, type Records } from "../records/records.ts";
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
  const result = await deleteOwned(records, { workspace_id: workspaceId, state: "live" }, ownedTypes);
  if (!isFirst && result.deleted === 0 && result.failedBatches === 0) throw notFound("workspace");
  return result;
}

/**
 * Deletes a session's history and leaves all others. Whether there was one; deleting it twice is no error.
 * @throws CmError `workspace/not-found`, `workspace/conflict` where some of it could not be deleted
 */
export async function deleteHistory({ records }: Setting, sessionId: string): Promise<boolean> {
  const session = await records.get("governed_session", sessionObject(sessionId));
  if (session?.fields.state !== "live") throw notFound("session");
  const wasThere = await records.change(async () => {
    const history = await records.get("session_history", historyObject(sessionId));
    if (history?.fields.state !== "live") return { writes: [], result: false };
    return { writes: [changed("session_history", history, emptied.session_history)], result: true };
  });
  const { workspace_id } = session.fields;
  const where = { workspace_id, session_id: sessionId, state: "live" };
  // A part that stayed would say that its messages are there.
  for (const type of ["history_part", "thread_message"] as const) {
    const { failedBatches } = await deleteOwned(records, where, [type]);
    if (failedBatches > 0)
      throw failure("workspace/conflict", "Not all of the history could be deleted; delete it again.");
  }
  return wasThere;
}

async function deleteOwned(
  records: Records,
  where: Readonly<Record<string, unknown>>,
  types: readonly OwnedType[],
): Promise<Deletion> {
  let [deleted, failedBatches] = [0, 0];
  for (const type of types) {
    const { session_id: _session, ...ofWorkspace } = where;
    const asked = type === "session_history" ? ofWorkspace : where;
    const rows: ReadRecord<OwnedType>[] = [];
    for await (const row of records.every(type, asked)) rows.push(row);
    for (let at = 0; at < rows.length; at += limits.batchObjectsMax) {
      const batch = rows.slice(at, at + limits.batchObjectsMax);
      try {
        await records.store.commit(batch.map((row) => changed(type, row, emptied[type])));
        deleted += batch.length;
      } catch {
        failedBatches += 1;
      }
    }
  }
  return { deleted, failedBatches };
}
