import { type At, datalog, type EdnInput, type EdnOutput, isXtdbError, type StoredDocument } from "@cm/xtdb-client";
import type { Database } from "./database.ts";
import { lastValidTime, storeLimits } from "./limits.ts";

// A node holds as many documents as a batch has, however large they are.
const withTexts = datalog`{:find [(pull e [* {:cm/blob [*]}])] :in [[e ...]] :where [[e :xt/id]] :batch-size 64}`;
const transactionTimes = datalog`{:find [e h] :in [[e ...]] :where [[(xtdb.api/entity-history $ e :asc) h]]}`;

/** Documents by id, with the documents of their long texts in place of the references. */
export async function documentsWithTexts(
  database: Database,
  ids: readonly string[],
  at: At,
): Promise<ReadonlyMap<string, StoredDocument>> {
  const rows = await inGroups(ids, (some) => database.client.query(withTexts, [some], { ...at, parse: documentOfRow }));
  return new Map(rows.map((document) => [String(document["xt/id"]), document]));
}

/** Documents by id, as they are. */
export function documents(
  { client }: Database,
  ids: readonly string[],
  at: At,
): Promise<ReadonlyMap<unknown, StoredDocument>> {
  return client.pull(ids, at);
}

/** The store's own documents: each holds from a time before any present. */
export const always: At = { validTime: lastValidTime };

/** The first transaction of each document, in one query. Not every node allows it: then side by side. */
export async function firstTransactions(
  { client }: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { readonly txId: number; readonly timeMs: number }>> {
  try {
    const rows = await inGroups(ids, (some) =>
      client.query<FirstTransaction>(transactionTimes, [some], { ...always, format: "edn", parse: transactionOfRow }),
    );
    return new Map(rows.flat());
  } catch (error) {
    if (!isXtdbError(error, "xtdb/refused")) throw error;
    const histories = await client.histories(ids, { documents: false });
    return new Map(
      [...histories].flatMap(([id, [first]]) =>
        first === undefined ? [] : [[String(id), { txId: first.txId, timeMs: first.txTime.getTime() }] as const],
      ),
    );
  }
}

/** Smaller groups where an answer was too large. */
async function inGroups<Row>(
  ids: readonly string[],
  ask: (some: readonly string[]) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let size: number = storeLimits.idsPerQueryMax;
  for (let from = 0; from < ids.length; ) {
    const some = ids.slice(from, from + size);
    try {
      for (const row of await ask(some)) rows.push(row);
      from += some.length;
    } catch (error) {
      const tooLarge = isXtdbError(error, "xtdb/bad-answer") && error.data.reason === "too large";
      if (!tooLarge || some.length === 1) throw error;
      size = Math.ceil(some.length / 4);
    }
  }
  return rows;
}

function documentOfRow(row: EdnOutput): StoredDocument {
  const document = Array.isArray(row) ? row[0] : undefined;
  if (!isMap(document)) throw new TypeError("A row of the query holds no document.");
  return document;
}

type FirstTransaction = readonly (readonly [string, { readonly txId: number; readonly timeMs: number }])[];

function transactionOfRow(row: EdnOutput): FirstTransaction {
  const [id, entries] = Array.isArray(row) ? row : [];
  const transaction = transactionIn(entries);
  return transaction === undefined ? [] : [[String(id), transaction]];
}

/** The transaction of a history's first entry, where it has one. */
export function transactionIn(entries: EdnOutput | undefined) {
  const [first] = Array.isArray(entries) ? entries : [];
  if (!isMap(first)) return undefined;
  const { "xtdb.api/tx-id": txId, "xtdb.api/tx-time": time } = first;
  if (typeof txId !== "number" || !(time instanceof Date))
    throw new TypeError("A history has an entry without its transaction.");
  return { txId, timeMs: time.getTime() };
}

export function isMap(value: EdnOutput | EdnInput | undefined): value is StoredDocument {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
