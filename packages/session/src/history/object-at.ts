import {
  everyVersion,
  type ListedVersion,
  type ObjectStore,
  type StepAddress,
  type StoredVersion,
} from "@cm/object-model";
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

/**
 * The newest version with a content hash that was stored by a moment; a content may have come back later. Where the
 * clock of the store was set back meanwhile, the newest of all.
 */
async function versionWith(
  store: ObjectStore,
  { id, contentHash, until }: { readonly id: string; readonly contentHash: string; readonly until: Date },
): Promise<StoredVersion | undefined> {
  let newest: StoredVersion | undefined;
  for await (const version of everyVersion((page) => store.history(id, { ...page, documents: true }))) {
    if (version.contentHash !== contentHash) continue;
    const found = storedVersion(version);
    if (version.transactionTime <= until) return found;
    newest ??= found;
  }
  return newest;
}

function storedVersion({ document, erased, ...stamp }: ListedVersion): StoredVersion | undefined {
  if (document !== undefined) return { ...stamp, document };
  return erased === undefined ? undefined : { ...stamp, erased };
}
