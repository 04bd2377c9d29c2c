import {
  type AsOf,
  type Basis,
  defined,
  type HistoryPage,
  type Page,
  type ReadOptions,
  refusals,
  type StoredVersion,
  timeline,
} from "@cm/object-model";
import { clockOf } from "./commit.ts";
import type { Database } from "./database.ts";
import { toDatabaseText } from "./database-text.ts";
import { txIdOf, type VersionPlace } from "./tokens.ts";
import { listedVersion, storedVersion, type VersionRow } from "./version-rows.ts";

/** The versions that hold, by id, with one statement. @throws CmError `store/unknown-basis`, `store/corrupt` */
export async function versionsAt(
  database: Database,
  ids: readonly string[],
  { at, texts, now }: ReadOptions & { readonly at: Basis | AsOf | undefined; readonly now: (() => number) | undefined },
): Promise<ReadonlyMap<string, StoredVersion>> {
  const { basis, validTime } = timeline.asOf(at);
  const txId = basis === undefined ? null : txIdOf(basis);
  if (Number.isNaN(txId)) throw refusals.unknownBasis();
  const validMs = validTime === undefined ? null : timeline.timeOf(validTime);
  const asked = [...new Set(ids)].map(toDatabaseText);
  const sql = `SELECT * FROM ${database.schema}.get_many_1($1, $2, $3, $4)`;
  const values = [asked, txId, validMs, clockOf(now)];
  const rows = await database.call((session) => session.rows<VersionRow>(sql, values), { lost: "nothing" });
  const found = new Map<string, StoredVersion>();
  for (const row of rows) {
    const version = storedVersion(row, texts);
    found.set(version.id, version);
  }
  return found;
}

/** One row more than the page holds, to know whether more follow. @throws CmError `store/corrupt` */
export async function historyPage(
  database: Database,
  id: string,
  { cursor, limit, documents }: Page & { readonly limit: number },
): Promise<HistoryPage> {
  const after = placeIn(cursor ?? "");
  const sql = `SELECT * FROM ${database.schema}.history_1($1, $2, $3, $4, $5)`;
  const values = [toDatabaseText(id), after?.oid ?? null, after?.n ?? null, limit + 1, documents === true];
  const found = await database.call((session) => session.rows<VersionRow>(sql, values), { lost: "nothing" });
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return {
    versions: rows.map((row) => listedVersion(row, documents)),
    ...defined({ next: last === undefined ? undefined : `${last.oid}.${last.n}` }),
  };
}

/** A cursor that is none starts from the newest version, as one of another object does. */
function placeIn(cursor: string): VersionPlace | undefined {
  const [, oid, n] = /^([1-9][0-9]{0,14})\.([1-9][0-9]{0,8})$/.exec(cursor) ?? [];
  return n === undefined ? undefined : { oid: Number(oid), n: Number(n) };
}
