import { refusals, timeline } from "@cm/object-model";
import { datalog, type EdnOutput, isXtdbError, type StoredDocument } from "@cm/xtdb-client";
import { type Database, observeTransaction } from "./database.ts";
import { always, isMap, transactionIn } from "./queries.ts";
import { type EntityFacts, entityFacts } from "./read-entity.ts";
import { type Found, type FoundVersion, withStamps } from "./read-versions.ts";
import { type Revision, readRevision } from "./revision.ts";

/**
 * Each object's last version with its long text, its newest write, and the transaction of the commit that its document
 * names. An object that is not there gives a row, too.
 */
const newest = datalog`{:find [id (pull e [* {:cm/blob [*]}]) (pull r [*]) h] :in [[[id e r]]]
  :where [[(get-attr e :cm/request "") [commit ...]] [(xtdb.api/entity-history $ commit :asc) h]]}`;

/**
 * The versions that hold now, in one request; `undefined` where that does not tell. It reads at the last valid time, which
 * needs no clock, neither a node's nor ours: the version there is the one that holds if it is the newest write of its
 * object and not planned for later. So it is, but for planned versions, back-dated ones and what was erased.
 * @throws CmError `store/corrupt`
 */
export async function readNewest(database: Database, ids: readonly string[]): Promise<Found | undefined> {
  const rows = await rowsOf(database, ids);
  if (rows === undefined) return undefined;
  const live = new Map<string, { entity: StoredDocument; facts: EntityFacts }>();
  for (const id of ids) {
    const row = rows.get(id);
    if (row === undefined) return undefined;
    const { entity, revision, transaction } = row;
    if (entity === undefined && revision === undefined) continue;
    if (entity === undefined || revision === undefined || transaction === undefined) return undefined;
    const facts = entityFacts(entity);
    if (facts.id !== id) throw refusals.corruptObject(id, "document");
    if (facts.afterErasure || !holdsAsNewest(database, revision, facts.token)) return undefined;
    database.memory.transactions.set(facts.request, transaction);
    live.set(id, { entity, facts });
  }
  const versions = await withStamps(database, live);
  for (const version of versions.values()) observe(database, version);
  return { versions, erased: new Map() };
}

interface Row {
  readonly entity: StoredDocument | undefined;
  readonly revision: Revision | undefined;
  readonly transaction: { readonly txId: number; readonly timeMs: number } | undefined;
}

async function rowsOf(database: Database, ids: readonly string[]): Promise<ReadonlyMap<string, Row> | undefined> {
  const { client, names, memory } = database;
  if (!memory.readsNewest) return undefined;
  const asked = ids.map((id) => [id, names.object(id), names.revision(id)]);
  const at = { ...always, notBeforeTxId: memory.newest.txId, format: "edn", parse: rowOf } as const;
  try {
    return new Map(await client.query(newest, [asked], at));
  } catch (error) {
    // Not every node allows the query, prints bytes in EDN, or gives so much at once.
    if (isXtdbError(error, "xtdb/refused")) memory.readsNewest = false;
    else if (!isXtdbError(error, "xtdb/bad-answer")) throw error;
    return undefined;
  }
}

function rowOf(row: EdnOutput): readonly [string, Row] {
  const [id, entity, revision, history] = Array.isArray(row) ? row : [];
  return [
    String(id),
    {
      entity: isMap(entity) ? entity : undefined,
      revision: isMap(revision) ? readRevision(revision) : undefined,
      transaction: transactionIn(history),
    },
  ];
}

/** Whether the version of this token, the last one of its object, holds now. `revision`: the object's newest write. */
export function holdsAsNewest({ now, memory }: Database, revision: Revision, token: string): boolean {
  const { facts } = revision;
  if (revision.token !== token || revision.isErasureMark || facts.afterErasure) return false;
  const fromMs = facts.validMs ?? facts.atMs;
  return fromMs === undefined || fromMs <= timeline.nextTransactionMs(memory.newest.timeMs, now ?? Date.now);
}

/** Later reads are not of a state before this one, whichever node answers. */
function observe(database: Database, { stamp, facts: { request } }: FoundVersion): void {
  const txId = database.memory.transactions.get(request)?.txId;
  observeTransaction(database, { txId, timeMs: stamp.transactionTime.getTime() });
}
