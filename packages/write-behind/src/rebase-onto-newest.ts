import {
  type CmError,
  type ObjectStore,
  type StoredVersion,
  sameVersion,
  type VersionToken,
  type Write,
} from "@cm/object-model";

export interface RebasedWrites {
  /** The remaining writes. */
  readonly writes: readonly Write[];
  /** The writes that the newest versions already contain. */
  readonly alreadyWritten: ReadonlyMap<string, VersionToken>;
}

/**
 * Resolves a queued commit that conflicts with writes of other clients. An equal write is done; of a file the newest
 * observation wins; everything else was decided on what is no longer so.
 * @throws the conflict where it cannot be written any more, or what the base throws
 */
export async function rebaseOntoNewest(
  base: ObjectStore,
  writes: readonly Write[],
  conflict: CmError,
): Promise<RebasedWrites> {
  const actual = actualOf(conflict);
  const found = await base.getMany([...actual.keys()]);
  const alreadyWritten = new Map<string, VersionToken>();
  const left: Write[] = [];
  let isUnresolvable = actual.size === 0;
  for (const write of writes) {
    const id = write.document["xt/id"];
    const token = actual.get(id);
    const version = found.get(id);
    if (token === undefined) left.push(write);
    else if (write.document.type === "file" && !matchesWrite(version, write)) left.push({ ...write, expect: token });
    // Written again since the conflict: the next attempt tells.
    else if ((version?.token ?? "absent") !== token) left.push(write);
    else if (matchesWrite(version, write)) alreadyWritten.set(id, token);
    else isUnresolvable = true;
  }
  if (isUnresolvable) throw conflict;
  return { writes: left, alreadyWritten };
}

function matchesWrite(version: StoredVersion | undefined, write: Write): boolean {
  return version?.document !== undefined && sameVersion(version.document, write.document);
}

function actualOf({ data: { ids, actual } }: CmError): ReadonlyMap<string, string> {
  const named = Array.isArray(ids) ? ids.map(String) : [];
  const tokens = Array.isArray(actual) ? actual.map(String) : [];
  return new Map(named.map((id, place) => [id, tokens[place] ?? "absent"]));
}
