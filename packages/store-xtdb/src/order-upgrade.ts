import { datalog, type EdnOutput, put, type StoredDocument, type XtdbDocument } from "@cm/xtdb-client";
import { type Database, observeTransaction } from "./database.ts";
import { unknownOutcome } from "./errors.ts";
import { firstValidTime, storeLimits } from "./limits.ts";
import { orderValuesOf } from "./order.ts";
import { always, documents } from "./queries.ts";

/** One commit by a store from before there was an order. */
const unordered = datalog`{:find [c] :in [from to] :where [[c :xt/id i] [(>= i from)] [(< i to)] [c :cm/attempt]
  (not [c :cm/ordered])] :limit 1}`;
const entitiesByType = datalog`{:find [e o] :in [from to] :where [[e :cm/keys k] [(>= k from)] [(< k to)] [e :cm/object o]]}`;

/**
 * Once for a namespace that stores from before there was an order have written to: gives every object a document of its
 * own that says where it stands, by all its versions. The versions stay as they are. Several stores may do it at once,
 * and one that is broken off begins again. A document says it is done.
 */
export async function upgradeOrder(database: Database): Promise<void> {
  const { client, names, memory } = database;
  if (memory.isOrdered) return;
  const isDone = (await documents(database, [names.ordered], always)).has(names.ordered);
  if (!isDone) {
    // Without a transaction there is nothing to order, and nothing to say it of.
    if ((await client.latestCompleted()) === undefined) return;
    const old = await client.query(unordered, names.requests, { ...always, parse: stringsOf });
    if (old.length > 0) await orderAll(database);
    await write(database, [{ "xt/id": names.ordered, "cm/ordered": true }]);
  }
  memory.isOrdered = true;
}

async function orderAll(database: Database): Promise<void> {
  const { client, names } = database;
  // At the last valid time: every object that has a version left has one there, and those that were kept aside stand apart.
  const rows = await client.query(entitiesByType, names.typeKeys, { ...always, parse: stringsOf });
  const entities = new Map<string, Set<string>>();
  for (const [entity = "", id = ""] of rows) {
    const known = entities.get(id) ?? new Set([names.object(id)]);
    entities.set(id, known.add(entity));
  }
  const ids = [...entities.keys()];
  for (let from = 0; from < ids.length; from += storeLimits.orderUpgradeIdsMax) {
    const some = ids.slice(from, from + storeLimits.orderUpgradeIdsMax);
    const histories = await client.histories(some.flatMap((id) => [...(entities.get(id) ?? [])]));
    await write(
      database,
      some.map((id) => {
        const versions = [...(entities.get(id) ?? [])].flatMap((entity) => histories.get(entity) ?? []);
        const stored = versions.flatMap(({ document }): StoredDocument[] => (document ? [document] : []));
        const values = new Set(stored.flatMap((document) => orderValuesOf(names, id, document)));
        return { "xt/id": names.order(id), "cm/object": id, "cm/order": [...values] };
      }),
    );
  }
}

async function write(database: Database, entries: readonly XtdbDocument[]): Promise<void> {
  const { txId, txTime, committed } = await database.client.submitAndConfirm(
    entries.map((document) => put(document, firstValidTime)),
  );
  if (!committed) throw unknownOutcome(new Error("A transaction without conditions was not committed."));
  // With a clock of its own, the store's times are not XTDB's.
  observeTransaction(database, {
    txId,
    timeMs: database.now === undefined ? txTime.getTime() : Number.NEGATIVE_INFINITY,
  });
}

function stringsOf(row: EdnOutput): readonly string[] {
  return Array.isArray(row) ? row.map(String) : [];
}
