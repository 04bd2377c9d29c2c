import type { AsOf, Basis, StoredVersion } from "@cm/object-model";
import type { Database } from "./database.ts";
import { storeLimits } from "./limits.ts";
import { momentOf } from "./moment.ts";
import { readKnown } from "./read-known.ts";
import { readNewest } from "./read-newest.ts";
import { documentIn, type Found, type FoundVersion, namingIds, versionsAt } from "./read-versions.ts";
import { writtenRevision } from "./revision.ts";

/** The versions that hold, in the order of the ids. @throws CmError `store/corrupt`, `store/unknown-basis` */
export async function readMany(
  database: Database,
  ids: readonly string[],
  at: Basis | AsOf | undefined,
): Promise<ReadonlyMap<string, StoredVersion>> {
  const named = namingIds(ids);
  const known = at === undefined ? await readKnown(database, named) : undefined;
  if (known !== undefined) return known;
  const { versions, erased } = await holding(database, named, at);
  const found = new Map<string, StoredVersion>();
  for (const id of named) {
    const version = versions.get(id);
    const gone = erased.get(id);
    if (version !== undefined) {
      found.set(id, { ...version.stamp, document: documentIn(version) });
      if (at === undefined) remember(database, version);
    } else if (gone !== undefined) found.set(id, gone);
  }
  if (at === undefined && named.length <= storeLimits.newestIdsMax) {
    // Of an object that lost versions, the newest write does not tell which one holds.
    for (const id of named) {
      const isLast = versions.get(id)?.facts.afterErasure === false;
      database.memory.versions.read(id, isLast ? found.get(id) : undefined);
    }
  }
  return found;
}

/** Few current versions come in one request; more, or those of another moment, in few. */
async function holding(database: Database, ids: readonly string[], at: Basis | AsOf | undefined): Promise<Found> {
  if (at === undefined && ids.length <= storeLimits.newestIdsMax) {
    const found = await readNewest(database, ids);
    if (found !== undefined) return found;
  }
  return await versionsAt(database, ids, { moment: await momentOf(database, at), texts: true });
}

/** The current version is usually the newest write. A commit that assumes this checks it. */
function remember({ memory, names }: Database, { stamp, facts: { facts } }: FoundVersion): void {
  const { id, type, token } = stamp;
  if ((memory.revisions.get(id)?.n ?? 0) < facts.n) {
    memory.revisions.set(id, writtenRevision(names, id, type, token, facts));
  }
}
