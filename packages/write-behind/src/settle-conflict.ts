import {
  type CmError,
  type ObjectStore,
  type StoredVersion,
  sameVersion,
  type VersionToken,
  type Write,
} from "@cm/object-model";

export interface Settled {
  /** The remaining writes. */
  readonly writes: readonly Write[];
  /** The writes that the newest versions already contain. */
  readonly there: ReadonlyMap<string, VersionToken>;
}

/**
 * Resolves a queued commit that conflicts with writes of other clients. An equal write is done; of a file the newest
 * observation wins; everything else was decided on what is no longer so.
 * @throws the conflict where it cannot be written any more, or what the base throws
 */
export async function settleConflict(base: ObjectStore, writes: readonly Write[], conflict: CmError): Promise<Settled> {
  const actual = actualOf(conflict);
  const found = await base.getMany([...actual.keys()]);
  const there = new Map<string, VersionToken>();
  const left: Write[] = [];
  let isLost = actual.size === 0;
  for (const write of writes) {
    const id = write.document["xt/id"];
    const token = actual.get(id);
    const version = found.get(id);
    if (token === undefined) left.push(write);
    else if (write.document.type === "file" && !says(version, write)) left.push({ ...write, expect: token });
    // Written again since the conflict: the next attempt tells.
    else if ((version?.token ?? "absent") !== token) left.push(write);
    else if (says(version, write)) there.set(id, token);
    else isLost = true;
  }
  if (isLost) throw conflict;
  return { writes: left, there };
}

function says(version: StoredVersion | undefined, write: Write): boolean {
  return version?.document !== undefined && sameVersion(version.document, write.document);
}

function actualOf({ data: { ids, actual } }: CmError): ReadonlyMap<string, string> {
  const named = Array.isArray(ids) ? ids.map(String) : [];
  const tokens = Array.isArray(actual) ? actual.map(String) : [];
  return new Map(named.map((id, place) => [id, tokens[place] ?? "absent"]));
}
