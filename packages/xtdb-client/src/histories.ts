import type { Call } from "./call.ts";
import { type Datalog, datalog } from "./datalog.ts";
import { isXtdbError } from "./errors.ts";
import { historyEntry, horizon } from "./history.ts";
import { clientLimits } from "./limits.ts";
import type { EntityId } from "./operations.ts";
import type { HistoriesOptions, HistoryEntry, HistoryOptions } from "./options.ts";
import { type AskQuery, byId, pairs } from "./pull.ts";
import { badAnswer } from "./server-errors.ts";

/** No `[e :xt/id]`: that would leave out entities that were removed. */
const queries: Readonly<Record<"asc" | "desc", Readonly<Record<"true" | "false", Datalog>>>> = {
  asc: {
    true: datalog`{:find [e h] :in [[e ...]] :where [[(xtdb.api/entity-history $ e :asc {:with-docs? true :with-corrections? true}) h]]}`,
    false: datalog`{:find [e h] :in [[e ...]] :where [[(xtdb.api/entity-history $ e :asc {:with-corrections? true}) h]]}`,
  },
  desc: {
    true: datalog`{:find [e h] :in [[e ...]] :where [[(xtdb.api/entity-history $ e :desc {:with-docs? true :with-corrections? true}) h]]}`,
    false: datalog`{:find [e h] :in [[e ...]] :where [[(xtdb.api/entity-history $ e :desc {:with-corrections? true}) h]]}`,
  },
};

type Histories = ReadonlyMap<EntityId, readonly HistoryEntry[]>;

/** The means to read single histories if the bulk query is refused. */
export interface SingleHistories {
  /** Whether the bulk query was refused before. */
  refused: boolean;
  newestTxId(call: Call): Promise<number | undefined>;
  read(id: EntityId, options: HistoryOptions): AsyncIterable<HistoryEntry>;
}

/** Histories by id, in the order of the ids, each once; entities that never were, or were evicted, are left out. */
export async function entityHistories(
  ids: readonly EntityId[],
  options: HistoriesOptions,
  call: Call,
  ask: AskQuery,
  single: SingleHistories,
): Promise<Histories> {
  if (!single.refused) {
    try {
      return await inBulk(ids, options, call, ask);
    } catch (error) {
      if (!isXtdbError(error, "xtdb/refused") || error.data.errorKey !== "fn-not-allowed") throw error;
      // Upstream's server with an empty allow-list. It will not change its mind.
      single.refused = true;
    }
  }
  return await oneByOne(ids, options, call, single);
}

async function inBulk(
  ids: readonly EntityId[],
  options: HistoriesOptions,
  call: Call,
  ask: AskQuery,
): Promise<Histories> {
  const { order = "asc", documents = true } = options;
  const query = queries[order === "desc" ? "desc" : "asc"][documents ? "true" : "false"];
  const at = { txId: options.txId, validTime: options.validTime ?? horizon };
  return await byId("query", ids, clientLimits.historiesIdsMax, async (some) => {
    const found: [EntityId, readonly HistoryEntry[]][] = [];
    for (const [id, entries] of pairs("query", await ask(query, some, at, "edn", call))) {
      if (!Array.isArray(entries)) throw badAnswer("query", "a history that is no list");
      if (entries.length > 0) found.push([id, entries.map((entry) => historyEntry("query", entry))]);
    }
    return found;
  });
}

async function oneByOne(
  ids: readonly EntityId[],
  options: HistoriesOptions,
  call: Call,
  single: SingleHistories,
): Promise<Histories> {
  const txId = options.txId ?? (await single.newestTxId(call));
  return await byId("entity", ids, Number.MAX_SAFE_INTEGER, async (distinct) => {
    const found: [EntityId, readonly HistoryEntry[]][] = [];
    const waiting = distinct.values();
    let failed = false;
    const worker = async () => {
      // One iterator for all workers: each takes the next id, until one of them fails.
      for (const id of waiting) {
        if (failed) return;
        try {
          const timed = { ...options, txId, deadlineMs: call.remainingMs() };
          const entries: HistoryEntry[] = [];
          for await (const entry of single.read(id, timed)) entries.push(entry);
          if (entries.length > 0) found.push([id, entries]);
        } catch (error) {
          failed = true;
          throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: clientLimits.historiesParallelMax }, worker));
    return found;
  });
}
