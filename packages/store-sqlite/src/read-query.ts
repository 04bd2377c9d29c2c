import {
  defined,
  type HistoryPage,
  type ListedVersion,
  type ObjectDocument,
  type Page,
  type ReadOptions,
  type StoredVersion,
} from "@cm/object-model";
import { type DocumentRow, documentOf, toOrderedText } from "@cm/object-model/stored-form";
import type { Connection } from "./connection.ts";
import { storeLimits } from "./limits.ts";
import type { Moment } from "./moment.ts";
import { oidById, oidOfLikelyFile } from "./objects.ts";
import {
  documentColumns,
  documentJoins,
  listedVersion,
  type StampRow,
  stampColumns,
  stampJoins,
  storedVersion,
} from "./version-rows.ts";

const selectAsOf = `SELECT ${stampColumns}, ${documentColumns} FROM version v ${stampJoins} ${documentJoins}
  WHERE v.vid = (SELECT vid FROM version
    WHERE oid = (${oidById}) AND valid_from <= ? AND tx_id <= ?
    ORDER BY valid_from DESC, tx_id DESC LIMIT 1)`;

const selectManyAsOf = `SELECT ${stampColumns}, ${documentColumns}
  FROM json_each(:ids) asked CROSS JOIN version v ON v.vid = (SELECT vid FROM version
    WHERE oid = ${oidOfLikelyFile("asked.value")} AND valid_from <= :validTime AND tx_id <= :txId
    ORDER BY valid_from DESC, tx_id DESC LIMIT 1) ${stampJoins} ${documentJoins}`;

const selectDocument = `SELECT whole(o.id) AS id, whole(k.type) AS type, v.content_hash, ${documentColumns}
  FROM version v JOIN object o ON o.oid = v.oid JOIN kind k ON k.kind_id = o.kind_id ${documentJoins} WHERE v.vid = ?`;

const selectHistory = `SELECT ${stampColumns} FROM version v ${stampJoins}
  WHERE v.oid = (${oidById})
  ORDER BY v.valid_from DESC, v.tx_id DESC LIMIT ?`;

const selectHistoryAfter = `SELECT ${stampColumns} FROM version v ${stampJoins}
  WHERE v.oid = ? AND (v.valid_from, v.tx_id) < (?, ?)
  ORDER BY v.valid_from DESC, v.tx_id DESC LIMIT ?`;

const selectPlaceOfCursor = `SELECT v.oid, v.valid_from, v.tx_id FROM version v JOIN object o ON o.oid = v.oid
  WHERE v.vid = ? AND o.id = ?`;

/** The versions that hold, by id. @throws CmError `store/corrupt` */
export function versionsAt(
  connection: Connection,
  ids: readonly string[],
  { moment, texts }: ReadOptions & { readonly moment: Moment },
): ReadonlyMap<string, StoredVersion> {
  const found = new Map<string, StoredVersion>();
  for (const row of rowsAt(connection, ids, moment)) {
    const version = storedVersion(row, texts);
    found.set(version.id, version);
  }
  return found;
}

/** Each id's row once, in no order. */
export function* rowsAt(
  connection: Connection,
  named: readonly string[],
  { validTimeMs, txId }: Moment,
): Generator<StampRow & DocumentRow> {
  const ids = [...new Set(named)].map(toOrderedText);
  const isMany = ids.length >= storeLimits.idsAtOnceMin;
  // SQLite's JSON ends a text at its first NUL.
  const many = isMany ? ids.filter((id) => !id.includes("\0")) : [];
  if (isMany) {
    const asked = { ":ids": JSON.stringify(many), ":validTime": validTimeMs, ":txId": txId };
    yield* connection.iterate<StampRow & DocumentRow>(selectManyAsOf, asked);
  }
  for (const id of isMany ? ids.filter((id) => id.includes("\0")) : ids) {
    const row = connection.get<StampRow & DocumentRow>(selectAsOf, id, validTimeMs, txId);
    if (row !== undefined) yield row;
  }
}

/** @throws CmError `store/corrupt` */
export function historyPage(connection: Connection, id: string, page: Page & { readonly limit: number }): HistoryPage {
  const found = historyRows(connection, toOrderedText(id), page);
  const rows = found.slice(0, page.limit);
  const last = found.length > rows.length ? rows.at(-1) : undefined;
  return {
    versions: listedVersions(connection, rows, page),
    ...defined({ next: last === undefined ? undefined : `${last.vid}` }),
  };
}

/** Stamps, with their documents where the page asks for them. */
export function listedVersions(connection: Connection, rows: readonly StampRow[], page: Page): ListedVersion[] {
  return rows.map((row) => {
    const version = listedVersion(row);
    if (page.documents !== true || version.erased !== undefined) return version;
    return { ...version, ...defined({ document: versionDocument(connection, row.vid) }) };
  });
}

/** Undefined where there is no such version. @throws CmError `store/corrupt` */
export function versionDocument(connection: Connection, vid: number): ObjectDocument | undefined {
  const row = connection.get<DocumentRow>(selectDocument, vid);
  return row && documentOf(row);
}

/** One row more than the page holds, to know whether more follow. A cursor that is none starts from the newest. */
function historyRows(connection: Connection, id: string, page: Page & { readonly limit: number }): StampRow[] {
  const vid = /^[1-9][0-9]{0,15}$/.test(page.cursor ?? "") ? Number(page.cursor) : 0;
  const place = connection.get<{ oid: number; valid_from: number; tx_id: number }>(selectPlaceOfCursor, vid, id);
  if (place === undefined) return connection.all<StampRow>(selectHistory, id, page.limit + 1);
  return connection.all<StampRow>(selectHistoryAfter, place.oid, place.valid_from, place.tx_id, page.limit + 1);
}
