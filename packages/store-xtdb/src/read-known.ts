import type { StoredVersion } from "@cm/object-model";
import type { StoredDocument } from "@cm/xtdb-client";
import type { Database } from "./database.ts";
import { copyOf } from "./known-versions.ts";
import { storeLimits } from "./limits.ts";
import { always, documents } from "./queries.ts";
import { holdsAsNewest } from "./read-newest.ts";
import { type Revision, readRevision } from "./revision.ts";

/**
 * The versions that hold now, where all of them are known: one request for the newest writes of the objects, which are small
 * documents. `undefined` where that does not tell.
 */
export async function readKnown(
  database: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredVersion> | undefined> {
  if (ids.length === 0 || ids.length > storeLimits.newestIdsMax) return undefined;
  const found = new Map<string, StoredVersion>();
  for (const id of ids) {
    const known = database.memory.versions.get(id);
    if (known === undefined) return undefined;
    found.set(id, copyOf(known));
  }
  const revisions = await revisionsOf(database, ids);
  for (const [id, { token }] of found) {
    const revision = revisions.get(id);
    if (revision === undefined || !holdsAsNewest(database, revision, token)) return undefined;
  }
  return found;
}

async function revisionsOf(database: Database, ids: readonly string[]): Promise<ReadonlyMap<string, Revision>> {
  const { client, names, memory } = database;
  const at = { ...always, notBeforeTxId: memory.newest.txId };
  const [first] = ids;
  const revisions = new Map<string, Revision>();
  const add = (id: string, document: StoredDocument | undefined): void => {
    const revision = document === undefined ? undefined : readRevision(document);
    if (revision !== undefined) revisions.set(id, revision);
  };
  // A document by its id needs no query.
  if (ids.length === 1 && first !== undefined) add(first, await client.entity(names.revision(first), at));
  else {
    const found = await documents(
      database,
      ids.map((id) => names.revision(id)),
      at,
    );
    for (const id of ids) add(id, found.get(names.revision(id)));
  }
  return revisions;
}
