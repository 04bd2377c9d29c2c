import { type CheckedCommit, checkAgainstNewest, refusals } from "@cm/object-model";
import type { StoredDocument } from "@cm/xtdb-client";
import { type CommitRecord, readRecord } from "./commit-record.ts";
import type { Database } from "./database.ts";
import { always, documents } from "./queries.ts";
import { type Revision, readRevision } from "./revision.ts";

/** The database's state for a planned commit. */
export interface ServerState {
  /** The newest revisions of the existing objects. */
  readonly revisions: ReadonlyMap<string, Revision>;
  /** The transaction of an earlier commit of this request. */
  readonly record: CommitRecord | undefined;
}

/** One question for everything, however many writes. What it says of texts and objects is remembered. */
export async function readServerState(
  database: Database,
  commit: CheckedCommit,
  { request, assumedBlobs }: { readonly request: string; readonly assumedBlobs: readonly string[] },
): Promise<ServerState> {
  const { names, memory } = database;
  const ids = commit.writes.map(({ document }) => document["xt/id"]);
  const gone = assumedBlobs.map((digest) => names.gone(digest));
  const found = await documents(database, [request, ...gone, ...ids.map((id) => names.revision(id))], always);
  for (const digest of assumedBlobs) if (found.has(names.gone(digest))) memory.texts.gone(digest);
  const revisions = new Map<string, Revision>();
  for (const id of ids) {
    const document = found.get(names.revision(id));
    if (document === undefined) continue;
    const revision = readRevision(document);
    if (revision === undefined) throw refusals.corruptObject(id, "revision");
    revisions.set(id, revision);
    memory.revisions.set(id, revision);
  }
  return { revisions, record: recordIn(found.get(request)) };
}

function recordIn(document: StoredDocument | undefined): CommitRecord | undefined {
  return document === undefined ? undefined : readRecord(document);
}

/** @throws CmError `store/envelope-changed`, `store/conflict` */
export function checkAgainstServerState({ writes }: CheckedCommit, { revisions }: ServerState): void {
  checkAgainstNewest(writes, {
    typeOf: ({ document }) => revisions.get(document["xt/id"])?.type,
    tokenOf: ({ document }) => revisions.get(document["xt/id"])?.token ?? "absent",
  });
}
