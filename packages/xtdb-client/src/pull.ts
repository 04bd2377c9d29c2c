import type { Format } from "./answers.ts";
import type { Call } from "./call.ts";
import { type Datalog, datalog } from "./datalog.ts";
import type { EdnOutput } from "./edn/values.ts";
import { isXtdbError } from "./errors.ts";
import { clientLimits } from "./limits.ts";
import type { EntityId } from "./operations.ts";
import type { At, ReadOptions, StoredDocument } from "./options.ts";
import { idText } from "./parameters.ts";
import { badAnswer } from "./server-errors.ts";

/** Asks one query within a call. */
export type AskQuery = (
  query: Datalog,
  ids: readonly EntityId[],
  at: At,
  format: Format,
  call: Call,
) => Promise<readonly EdnOutput[]>;

// A node holds as many documents as a batch has, however large they are.
const pullQuery = datalog`{:find [e (pull e [*])] :in [[e ...]] :where [[e :xt/id]] :batch-size 64}`;

/** Documents by id, in the order of the ids, each once; ids without a document are left out. */
export async function pullDocuments(
  ids: readonly EntityId[],
  options: ReadOptions,
  call: Call,
  ask: AskQuery,
): Promise<ReadonlyMap<EntityId, StoredDocument>> {
  // JSON cannot tell a keyword from a string, nor "3" from 3 as a name.
  const chosen = ids.every((id) => typeof id === "string") ? (options.format ?? "json") : "edn";
  return await byId("pull", ids, clientLimits.pullIdsMax, async (some) => {
    const rows = await ask(pullQuery, some, options, chosen, call);
    return pairs("pull", rows).filter((pair): pair is [EntityId, StoredDocument] => isDocument(pair[1]));
  });
}

/** Asks in groups, smaller ones where an answer was too large, and puts what came in the order of the ids. */
export async function byId<Value>(
  endpoint: string,
  ids: readonly EntityId[],
  idsMax: number,
  ask: (some: readonly EntityId[]) => Promise<readonly (readonly [EntityId, Value])[]>,
): Promise<ReadonlyMap<EntityId, Value>> {
  const wanted = new Map(ids.map((id) => [typeof id === "string" ? id : idText(id), id]));
  const distinct = [...wanted.values()];
  const found = new Map<EntityId, Value>();
  let size = idsMax;
  for (let from = 0; from < distinct.length; ) {
    const some = distinct.slice(from, from + size);
    try {
      for (const [id, value] of await ask(some)) found.set(typeof id === "string" ? id : idText(id), value);
      from += some.length;
    } catch (error) {
      const tooLarge = isXtdbError(error, "xtdb/bad-answer") && error.data.reason === "too large";
      if (!tooLarge || some.length === 1) throw error;
      size = Math.ceil(some.length / 4);
    }
  }
  return inOrder(endpoint, wanted, found);
}

function inOrder<Value>(
  endpoint: string,
  wanted: ReadonlyMap<EntityId, EntityId>,
  found: ReadonlyMap<EntityId, Value>,
): ReadonlyMap<EntityId, Value> {
  const ordered = new Map<EntityId, Value>();
  for (const [key, id] of wanted) {
    const value = found.get(key);
    if (value !== undefined) ordered.set(id, value);
  }
  if (ordered.size !== found.size) throw badAnswer(endpoint, "ids that were not requested");
  return ordered;
}

/** Rows of two columns, the first an id. */
export function pairs(endpoint: string, rows: readonly EdnOutput[]): readonly [EntityId, EdnOutput][] {
  return rows.map((row: EdnOutput) => {
    if (!Array.isArray(row) || row.length !== 2) throw badAnswer(endpoint, "a row that is no pair");
    return row as [EntityId, EdnOutput];
  });
}

export function isDocument(value: EdnOutput | undefined): value is StoredDocument {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
