import { attachmentIdsOf, type EraseReceipt, isCmError, type ObjectDocument } from "@cm/object-model";
import type { Connection } from "./connection.ts";
import { storeLimits } from "./limits.ts";
import { beginTransaction } from "./moment.ts";
import { idOf, objectNamed } from "./objects.ts";
import { forgetTexts } from "./text-index.ts";
import { basisOf } from "./tokens.ts";
import { type DocumentRow, documentJoins, documentOf, textlessColumns } from "./version-rows.ts";

type VersionPlace = { vid: number; oid: number; bid: number | null; session_id: number | null };

const selectOfObject = "SELECT vid, oid, bid, session_id FROM version WHERE oid = ? AND erased IS NULL";
const selectOfBlob = "SELECT vid, oid, bid, session_id FROM version WHERE bid = ?";
const selectDocuments = `SELECT whole(o.id) AS id, whole(k.type) AS type, v.content_hash, ${textlessColumns}
  FROM version v JOIN object o ON o.oid = v.oid JOIN kind k ON k.kind_id = o.kind_id ${documentJoins}
  WHERE v.oid = ? AND v.erased IS NULL AND k.type IN ('toolcall', 'step')`;
/** Everybody's empty text is nobody's secret. */
const selectSize = "SELECT size FROM blob WHERE bid = ?";
const insertErasure = "INSERT INTO erasure(tx_id, reason) VALUES (?, ?)";
const eraseVersion = `UPDATE version SET erased = ?, enc = 0, payload = NULL, bid = NULL, session_id = NULL, tool = NULL
  WHERE vid = ?`;
const deleteBlob = "DELETE FROM blob WHERE bid = ?";
const deleteSource = `DELETE FROM source WHERE oid = :oid
  AND NOT EXISTS (SELECT 1 FROM version WHERE oid = :oid AND erased IS NULL)`;
const deleteMember = `DELETE FROM member WHERE session_id = :session AND oid = :oid
  AND NOT EXISTS (SELECT 1 FROM version WHERE oid = :oid AND session_id = :session)`;
const deleteSession =
  "DELETE FROM session WHERE session_id = :session AND NOT EXISTS (SELECT 1 FROM member WHERE session_id = :session)";
const deletePlaces = "DELETE FROM place WHERE NOT EXISTS (SELECT 1 FROM source s WHERE s.place_id = place.place_id)";

/** Takes the named objects and every version with the same text, under the write lock. */
export function eraseObjects(
  connection: Connection,
  { ids, reason, now }: { ids: readonly string[]; reason: string; now: () => number },
): EraseReceipt {
  const { txId, timeMs } = beginTransaction(connection, now);
  connection.run(insertErasure, txId, reason);
  const oids = new Map(ids.map((id) => [id, oidOf(connection, id)]));
  const named = new Set([...oids.values()].filter((oid) => oid !== undefined));
  const lost = lostVersions(connection, named);
  for (const { vid } of lost.versions) connection.run(eraseVersion, txId, vid);
  for (const bid of lost.blobs) connection.run(deleteBlob, bid);
  forgetTexts(connection, lost.blobs, storeLimits.indexMergedTextsMax);
  forgetTraces(connection, lost.versions);
  const shared = new Set(lost.versions.map(({ oid }) => oid).filter((oid) => !named.has(oid)));
  return {
    basis: basisOf(txId),
    at: new Date(timeMs),
    erased: idsOf(connection, named),
    shared: idsOf(connection, shared),
    unknown: [...oids].flatMap(([id, oid]) => (oid === undefined ? [id] : [])),
  };
}

function lostVersions(
  connection: Connection,
  named: ReadonlySet<number>,
): { versions: readonly VersionPlace[]; blobs: ReadonlySet<number> } {
  const own = [...named].flatMap((oid) => connection.all<VersionPlace>(selectOfObject, oid));
  const attached = [...attachedTo(connection, named)].flatMap((oid) =>
    connection.all<VersionPlace>(selectOfObject, oid),
  );
  const blobs = new Set(
    [...own, ...attached].flatMap(({ bid }) => (bid === null || isEmptyText(connection, bid) ? [] : [bid])),
  );
  const sharing = [...blobs].flatMap((bid) => connection.all<VersionPlace>(selectOfBlob, bid));
  return { versions: [...new Map([...own, ...sharing].map((version) => [version.vid, version])).values()], blobs };
}

function attachedTo(connection: Connection, named: ReadonlySet<number>): ReadonlySet<number> {
  const rows = [...named].flatMap((oid) => connection.all<DocumentRow>(selectDocuments, oid));
  const documents = rows.flatMap((row) => documentUnlessDamaged(row) ?? []);
  const oids = documents.flatMap(attachmentIdsOf).map((id) => oidOf(connection, id));
  return new Set(oids.filter((oid) => oid !== undefined));
}

/** A damaged document names nothing any more, and may be erased like any other. */
function documentUnlessDamaged(row: DocumentRow): ObjectDocument | undefined {
  try {
    return documentOf(row);
  } catch (error) {
    if (isCmError(error, "store/corrupt")) return undefined;
    throw error;
  }
}

/** Bindings and sessions that only erased versions spoke of. Ids stay, as part of the stamps. */
function forgetTraces(connection: Connection, versions: readonly VersionPlace[]): void {
  for (const oid of new Set(versions.map((version) => version.oid))) connection.change(deleteSource, { oid });
  for (const { session_id, oid } of versions) connection.change(deleteMember, { session: session_id, oid });
  for (const session of new Set(versions.map((version) => version.session_id)))
    connection.change(deleteSession, { session });
  connection.run(deletePlaces);
}

function oidOf(connection: Connection, id: string): number | undefined {
  return objectNamed(connection, id)?.oid;
}

function isEmptyText(connection: Connection, bid: number): boolean {
  return connection.get<{ size: number }>(selectSize, bid)?.size === 0;
}

/** By UTF-16 units, as everywhere. */
function idsOf(connection: Connection, oids: ReadonlySet<number>): string[] {
  return [...oids].map((oid) => idOf(connection, oid)).sort();
}
