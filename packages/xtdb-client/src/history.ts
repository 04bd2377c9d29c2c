import type { CallOptions } from "./call.ts";
import type { EdnOutput } from "./edn/values.ts";
import { entityVersionSchema, envelope } from "./envelopes.ts";
import type { EntityId } from "./operations.ts";
import type { At, HistoryEntry, HistoryOptions, StoredDocument } from "./options.ts";
import type { Pages } from "./pages.ts";
import { atParameters, idParameter, parameters, timeParameter } from "./parameters.ts";
import { isDocument } from "./pull.ts";

/** Later than any version: XTDB cuts a history off at the valid time of the read, which would hide future versions. */
export const horizon = new Date("9999-12-31T23:59:59.999Z");

/** How a history finds out which transaction all its pages are as of. */
export type NewestTxId = (options: CallOptions) => Promise<number | undefined>;

/**
 * All versions of an entity by valid time, and by transaction where that is equal. An answer is read up to a bound; what
 * follows is asked for from the last valid time on, as of one transaction.
 */
export async function* entityHistory(
  id: EntityId,
  options: HistoryOptions,
  pages: Pages,
  newestTxId: NewestTxId,
): AsyncGenerator<HistoryEntry, void, undefined> {
  const at: { txId?: number | undefined; validTime: Date } = { ...at0(options) };
  let start = options.start;
  let seen = new Set<number>();
  let bytes = pages.bytes;
  for (;;) {
    const query = historyParameters(id, { ...options, ...(start === undefined ? {} : { start }) }, at);
    const { values, whole } = await pages.read("entity", query, at, bytes, options);
    if (!whole && at.txId === undefined) {
      at.txId = await newestTxId(options);
      continue;
    }
    const fresh = values
      .map((value) => historyEntry("entity", value))
      .filter((entry) => entry.validTime.getTime() !== start?.getTime() || !seen.has(entry.txId));
    yield* fresh;
    if (whole) return;
    const last = fresh.at(-1)?.validTime;
    // Nothing new in a full page: one valid time has more versions, or larger ones, than a page holds.
    if (last === undefined) bytes = pages.more("entity", bytes);
    else {
      const same = fresh.filter((entry) => entry.validTime.getTime() === last.getTime()).map(({ txId }) => txId);
      seen = new Set(last.getTime() === start?.getTime() ? [...seen, ...same] : same);
      start = last;
    }
  }
}

const at0 = ({ txId, validTime }: At) => ({ txId, validTime: validTime ?? horizon });

function historyParameters(id: EntityId, options: HistoryOptions, at: At): string {
  const { start, end, order = "asc", documents = true } = options;
  return parameters(
    idParameter(id),
    `history=true&sort-order=${order === "desc" ? "desc" : "asc"}&with-corrections=true&with-docs=${documents}`,
    start === undefined ? undefined : timeParameter("start-valid-time", start),
    end === undefined ? undefined : timeParameter("end-valid-time", end),
    atParameters(at),
  );
}

/** One version as the entity endpoint and `xtdb.api/entity-history` give it in EDN. */
export function historyEntry(endpoint: string, value: EdnOutput): HistoryEntry {
  const version = envelope(entityVersionSchema, value, endpoint);
  if (!isDocument(value) || !Object.hasOwn(value, "xtdb.api/doc")) return version;
  const document = value["xtdb.api/doc"];
  return { ...version, document: isDocument(document) ? (document satisfies StoredDocument) : null };
}
