import {
  attachmentIdsOf,
  type EraseReceipt,
  isCmError,
  isNamedVersion,
  type NamedVersions,
  type ObjectDocument,
} from "@cm/object-model";
import type { Connection } from "./connection.ts";
import { forgetFields } from "./field-index.ts";
import { storeLimits } from "./limits.ts";
import { beginTransaction } from "./moment.ts";
import { idOf, objectNamed } from "./objects.ts";
import { forgetTexts } from "./text-index.ts";
import { basisOf, tokenOf } from "./tokens.ts";
import { type DocumentRow, documentJoins, documentOf, textlessColumns } from "./version-rows.ts";

type VersionPlace = { vid: number; oid: number; bid: number | null; session_id: number | null };

const selectOfObject = "SELECT vid, oid, bid, session_id FROM version WHERE oid = ? AND erased IS NULL";
const selectAnyOfObject = "SELECT vid FROM version WHERE oid = ?";
const selectOfBlob = "SELECT vid, oid, bid, session_id FROM version WHERE bid = ?";
const selectDocuments = `SELECT v.vid, whole(o.id) AS id, whole(k.type) AS type, v.content_hash, ${textlessColumns}
  FROM version v JOIN object o ON o.oid = v.oid JOIN kind k ON k.kind_id = o.kind_id ${documentJoins}
  WHERE v.oid = ? AND v.erased IS NULL AND k.type IN ('toolcall', 'step')`;
/** The empty text is shared by all objects and never secret. */
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

/** The named objects that are there, each with the versions of it that are meant. */
type Named = ReadonlyMap<number, NamedVersions>;

/** Takes what is named and every version with the same text, under the write lock. */
export function eraseObjects(
  connection: Connection,
  { named, reason, now }: { named: ReadonlyMap<string, NamedVersions>; reason: string; now: () => number },
): EraseReceipt {
  const { txId, timeMs } = beginTransaction(connection, now);
  connection.run(insertErasure, txId, reason);
  const places = [...named].map(([id, versions]) => ({ id, versions, oid: oidWith(connection, id, versions) }));
  const there: Named = new Map(places.flatMap(({ oid, versions }) => (oid === undefined ? [] : [[oid, versions]])));
  const lost = lostVersions(connection, there);
  for (const { vid } of lost.versions) connection.run(eraseVersion, txId, vid);
  for (const bid of lost.blobs) connection.run(deleteBlob, bid);
  forgetTexts(connection, lost.blobs, storeLimits.indexMergedTextsMax);
  forgetTraces(connection, lost.versions);
  forgetFields(connection, lost.versions);
  const shared = new Set(lost.versions.map(({ oid }) => oid).filter((oid) => !there.has(oid)));
  return {
    basis: basisOf(txId),
    at: new Date(timeMs),
    erased: idsOf(connection, new Set(there.keys())),
    shared: idsOf(connection, shared),
    unknown: places.flatMap(({ id, oid }) => (oid === undefined ? [id] : [])),
  };
}

/** Undefined where there is no such object, or none of its versions is meant. */
function oidWith(connection: Connection, id: string, versions: NamedVersions): number | undefined {
  const oid = oidOf(connection, id);
  if (oid === undefined || versions === "all") return oid;
  const rows = connection.all<{ vid: number }>(selectAnyOfObject, oid);
  return rows.some(({ vid }) => isNamedVersion(versions, tokenOf(vid))) ? oid : undefined;
}

function lostVersions(
  connection: Connection,
  named: Named,
): { versions: readonly VersionPlace[]; blobs: ReadonlySet<number> } {
  const own = [...named].flatMap(([oid, versions]) =>
    connection.all<VersionPlace>(selectOfObject, oid).filter(({ vid }) => isNamedVersion(versions, tokenOf(vid))),
  );
  const attached = [...attachedTo(connection, named)].flatMap((oid) =>
    connection.all<VersionPlace>(selectOfObject, oid),
  );
  const blobs = new Set(
    [...own, ...attached].flatMap(({ bid }) => (bid === null || isEmptyText(connection, bid) ? [] : [bid])),
  );
  const sharing = [...blobs].flatMap((bid) => connection.all<VersionPlace>(selectOfBlob, bid));
  return { versions: [...new Map([...own, ...sharing].map((version) => [version.vid, version])).values()], blobs };
}

/** The references of the erased versions that no remaining version of the same object has. */
function attachedTo(connection: Connection, named: Named): ReadonlySet<number> {
  const ids = [...named].flatMap(([oid, versions]) => {
    const rows = connection.all<DocumentRow & { vid: number }>(selectDocuments, oid);
    const of = (isLost: boolean) =>
      rows
        .filter(({ vid }) => isNamedVersion(versions, tokenOf(vid)) === isLost)
        .flatMap((row) => documentUnlessDamaged(row) ?? [])
        .flatMap(attachmentIdsOf);
    const staying = new Set(of(false));
    return of(true).filter((id) => !staying.has(id));
  });
  return new Set(ids.flatMap((id) => oidOf(connection, id) ?? []));
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
