import { type ListedVersion, type ObjectDocument, refusals, type StoredVersion, timeline } from "@cm/object-model";
import type { StoredDocument } from "@cm/xtdb-client";
import { basisOf, type Tx } from "./basis.ts";
import type { Database } from "./database.ts";
import { atOf, type Moment } from "./moment.ts";
import { always, documents, documentsWithTexts, firstTransactions } from "./queries.ts";
import { documentOf, type EntityFacts, entityFacts, joinedText } from "./read-entity.ts";
import { readRevision } from "./revision.ts";
import { type Stamp, timelinesOf, timesOf } from "./timeline.ts";

/** The version of an object that holds, as far as it was read. */
export interface FoundVersion {
  readonly stamp: Omit<ListedVersion, "document" | "erased">;
  readonly facts: EntityFacts;
  readonly entity: StoredDocument;
}

/** The versions that hold at a moment, with their documents, and stamps of erased ones. */
export interface Found {
  readonly versions: ReadonlyMap<string, FoundVersion>;
  readonly erased: ReadonlyMap<string, StoredVersion>;
}

/** The ids that can name an object, each once. */
export function namingIds(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)].filter((id) => id !== "" && id.isWellFormed());
}

/**
 * The versions that hold. Where nothing of an object was ever erased, XTDB's own answer is the right one. For the
 * others it is not: erased versions are gone from there, and one before them would come up in their place. They are
 * looked up in the list of writes.
 * @throws CmError `store/corrupt`
 */
export async function versionsAt(
  database: Database,
  ids: readonly string[],
  { moment, texts }: { readonly moment: Moment; readonly texts: boolean },
): Promise<Found> {
  const { names } = database;
  const at = atOf(moment);
  if (at === undefined) return { versions: new Map(), erased: new Map() };
  const entities = ids.map((id) => names.object(id));
  const read = texts ? await documentsWithTexts(database, entities, at) : await documents(database, entities, at);
  const native = new Map<string, { entity: StoredDocument; facts: EntityFacts }>();
  const doubtful: string[] = [];
  for (const id of ids) {
    const entity = read.get(names.object(id));
    const facts = entity === undefined ? undefined : entityFacts(entity);
    if (facts !== undefined && facts.id !== id) throw refusals.corruptObject(id, "document");
    if (entity !== undefined && facts !== undefined) native.set(id, { entity, facts });
    if (facts === undefined || facts.afterErasure) doubtful.push(id);
  }
  const resolution = await resolveDoubtful(database, doubtful, { at, native, texts });
  for (const id of doubtful) native.delete(id);
  for (const [id, found] of resolution.liveEntities) native.set(id, found);
  return { versions: await withStamps(database, native), erased: resolution.erased };
}

interface Reading {
  readonly at: { readonly txId: number; readonly validTime: Date };
  readonly native: ReadonlyMap<string, { entity: StoredDocument; facts: EntityFacts }>;
  readonly texts: boolean;
}

type LiveEntities = Map<string, { entity: StoredDocument; facts: EntityFacts }>;

/** The current versions of objects for which XTDB gave no version, or one written after an erasure. */
async function resolveDoubtful(
  database: Database,
  ids: readonly string[],
  { at, native, texts }: Reading,
): Promise<{ liveEntities: LiveEntities; erased: Map<string, StoredVersion> }> {
  const liveEntities: LiveEntities = new Map();
  const erased = new Map<string, StoredVersion>();
  if (ids.length === 0) return { liveEntities, erased };
  const { names } = database;
  const revisions = await documents(
    database,
    ids.map((id) => names.revision(id)),
    always,
  );
  const touched = ids.filter((id) => {
    const document = revisions.get(names.revision(id));
    const revision = document === undefined ? undefined : readRevision(document);
    return revision !== undefined && (revision.isErasureMark || revision.facts.afterErasure);
  });
  if (touched.length === 0) return { liveEntities, erased };
  const kept = new Map<string, Stamp>();
  for (const [id, { stamps }] of await timelinesOf(database, touched)) {
    const stamp = timeline.holdingAt(stamps, { validMs: at.validTime.getTime(), txId: at.txId });
    if (stamp === undefined) continue;
    const here = native.get(id);
    if (stamp.erased !== undefined) erased.set(id, { ...listedStamp(stamp), erased: stamp.erased });
    else if (here?.facts.token === stamp.token) liveEntities.set(id, here);
    else kept.set(names.kept(id, stamp.facts.n), stamp);
  }
  if (kept.size === 0) return { liveEntities, erased };
  const ask = texts ? documentsWithTexts : documents;
  const survivors = await ask(database, [...kept.keys()], always);
  for (const [name, stamp] of kept) {
    const entity = survivors.get(name);
    if (entity === undefined) throw refusals.corruptObject(stamp.id, "document");
    liveEntities.set(stamp.id, { entity, facts: entityFacts(entity) });
  }
  return { liveEntities, erased };
}

/** A stamp as the contract gives it. */
export function listedStamp({ id, type, token, facts, txId, transactionMs, validMs }: Stamp) {
  return {
    id,
    type,
    token,
    contentHash: facts.contentHash,
    validTime: new Date(validMs),
    transactionTime: new Date(transactionMs),
    basis: basisOf({ txId, timeMs: transactionMs }),
  };
}

/** With the stamps that their commits give them. @throws CmError `store/corrupt` */
export async function withStamps(
  database: Database,
  found: LiveEntities | Reading["native"],
): Promise<ReadonlyMap<string, FoundVersion>> {
  const transactions = await transactionsOf(
    database,
    [...found.values()].map(({ facts }) => facts),
  );
  const versions = new Map<string, FoundVersion>();
  for (const [id, { entity, facts }] of found) {
    const tx = transactions.get(facts.request);
    if (tx?.txId === undefined) throw refusals.corruptObject(id, "commit");
    const { transactionMs, validMs } = timesOf(facts.facts, tx.timeMs);
    const { type, token } = facts;
    const stamp = listedStamp({
      id,
      type,
      token,
      facts: facts.facts,
      txId: tx.txId,
      transactionMs,
      validMs,
      erased: undefined,
    });
    versions.set(id, { stamp, facts, entity });
  }
  return versions;
}

/** The transaction of each commit, by the id of the commit's document: XTDB's own, in few questions. */
async function transactionsOf(database: Database, facts: readonly EntityFacts[]): Promise<ReadonlyMap<string, Tx>> {
  const { memory } = database;
  const known = new Map<string, Tx>();
  const unknown = new Set<string>();
  for (const { request } of facts) {
    const tx = known.get(request) ?? memory.transactions.get(request);
    if (tx === undefined) unknown.add(request);
    else known.set(request, tx);
  }
  if (unknown.size === 0) return known;
  for (const [request, tx] of await firstTransactions(database, [...unknown])) {
    known.set(request, tx);
    memory.transactions.set(request, tx);
  }
  return known;
}

/** @throws CmError `store/corrupt` */
export function documentIn({ entity }: FoundVersion): ObjectDocument {
  return documentOf(entity, joinedText(entity));
}
