import type { Erasure, ListedVersion, ReadOptions, StoredVersion } from "@cm/object-model";
import { contentHashOf, type DocumentRow, documentOf, fromOrderedText } from "@cm/object-model/stored-form";
import type { Bytes } from "./connection.ts";
import { basisOf, tokenOf } from "./tokens.ts";

/** The stamp of a version, with its erasure. */
export type StampRow = {
  id: string;
  type: string;
  vid: number;
  tx_id: number;
  tx_time: number;
  valid_from: number;
  content_hash: Bytes;
  erased_reason: string | null;
  erased_at: number | null;
};

export const stampColumns = `whole(o.id) AS id, whole(k.type) AS type, v.vid, v.tx_id, t.time AS tx_time, v.valid_from, v.content_hash,
  whole(e.reason) AS erased_reason, et.time AS erased_at`;
export const stampJoins = `JOIN object o ON o.oid = v.oid JOIN kind k ON k.kind_id = o.kind_id JOIN tx t ON t.tx_id = v.tx_id
  LEFT JOIN erasure e ON e.tx_id = v.erased LEFT JOIN tx et ON et.tx_id = v.erased`;
const fieldColumns = `whole(v.tool) AS tool, v.enc, v.payload, whole(n.name) AS session_name,
  whole(p.type) AS source_type, whole(p.namespace) AS namespace, whole(s.path) AS path, s.binding`;
export const documentColumns = `${fieldColumns}, b.size AS content_size, b.enc AS content_enc, b.data AS content_data,
  b.hash AS content_digest`;
/** A document without its text, for those who look at its fields, however damaged it is. */
export const textlessColumns = `${fieldColumns}, NULL AS content_size, NULL AS content_enc, NULL AS content_data`;
export const documentJoins = `LEFT JOIN session n ON n.session_id = v.session_id LEFT JOIN blob b ON b.bid = v.bid
  LEFT JOIN source s ON s.oid = v.oid LEFT JOIN place p ON p.place_id = s.place_id`;

/** @throws CmError `store/corrupt` */
export function storedVersion(row: StampRow & DocumentRow, texts?: ReadOptions["texts"]): StoredVersion {
  const erased = erasureOf(row);
  return erased === undefined ? { ...stampOf(row), document: documentOf(row, texts) } : { ...stampOf(row), erased };
}

/** A version as lists give it, without its document. */
export function listedVersion(row: StampRow): Omit<ListedVersion, "document"> {
  const erased = erasureOf(row);
  return erased === undefined ? stampOf(row) : { ...stampOf(row), erased };
}

function erasureOf({ erased_reason: reason, erased_at: at }: StampRow): Erasure | undefined {
  return reason === null || at === null ? undefined : { reason, at: new Date(at) };
}

function stampOf(row: StampRow): Omit<ListedVersion, "document" | "erased"> {
  const id = fromOrderedText(row.id);
  return {
    id,
    type: fromOrderedText(row.type),
    token: tokenOf(row.vid),
    contentHash: contentHashOf(row.content_hash, id),
    validTime: new Date(row.valid_from),
    transactionTime: new Date(row.tx_time),
    basis: basisOf(row.tx_id),
  };
}
