import { everyVersion, type ObjectStore, type StepAddress, type StoredVersion } from "@cm/object-model";
import { stateAt } from "./state-at.ts";

/**
 * The version of an object that a session had in sight after a step: the one it had observed, whoever wrote others
 * meanwhile. A tool call has only one. Undefined: the session had not met the object.
 * @param idOrAlias the object's id, or its alias in the session
 * @throws CmError `session/not-found` where there is no such step, `session/damaged`, or what the store throws
 */
export async function objectAt(
  store: ObjectStore,
  address: StepAddress,
  idOrAlias: string,
): Promise<StoredVersion | undefined> {
  const { state, written } = await stateAt(store, address);
  const id = state.aliases.resolve(idOrAlias);
  if (!state.sets.index.has(id)) return undefined;
  const holding = (await store.getMany([id], written.basis)).get(id);
  const contentHash = state.inSight.get(id)?.contentHash;
  if (contentHash === undefined || holding?.contentHash === contentHash) return holding;
  return versionWith(store, { id, contentHash, until: written.transactionTime });
}

/** The newest version with a content hash that was stored by a moment; a content may have come back later. */
async function versionWith(
  store: ObjectStore,
  { id, contentHash, until }: { readonly id: string; readonly contentHash: string; readonly until: Date },
): Promise<StoredVersion | undefined> {
  for await (const version of everyVersion((page) => store.history(id, { ...page, documents: true }))) {
    if (version.contentHash !== contentHash || version.transactionTime > until) continue;
    const { document, erased, ...stamp } = version;
    if (document !== undefined) return { ...stamp, document };
    if (erased !== undefined) return { ...stamp, erased };
  }
  return undefined;
}
