import type { Erasure, ListedVersion, ReadOptions, StoredVersion } from "@cm/object-model";
import { contentHashOf, type DocumentRow, documentOf, fromOrderedText } from "@cm/object-model/stored-form";
import { basisOf, tokenOf } from "./tokens.ts";

/** A row of the read functions. Of a list without documents all columns of `DocumentRow` but the first are NULL. */
export type VersionRow = DocumentRow & {
  oid: number;
  n: number;
  tx_id: number;
  tx_ms: number;
  valid_from: number;
  erased_reason: string | null;
  erased_ms: number | null;
};

/** @throws CmError `store/corrupt` */
export function storedVersion(row: VersionRow, texts?: ReadOptions["texts"]): StoredVersion {
  const erased = erasureOf(row);
  return erased === undefined ? { ...stampOf(row), document: documentOf(row, texts) } : { ...stampOf(row), erased };
}

/** @throws CmError `store/corrupt` */
export function listedVersion(row: VersionRow, documents: boolean | undefined): ListedVersion {
  const erased = erasureOf(row);
  if (erased !== undefined) return { ...stampOf(row), erased };
  return documents === true ? { ...stampOf(row), document: documentOf(row) } : stampOf(row);
}

function erasureOf({ erased_reason: reason, erased_ms: at }: VersionRow): Erasure | undefined {
  return reason === null || at === null ? undefined : { reason: fromOrderedText(reason), at: new Date(at) };
}

function stampOf(row: VersionRow): Omit<ListedVersion, "document" | "erased"> {
  const id = fromOrderedText(row.id);
  return {
    id,
    type: fromOrderedText(row.type),
    token: tokenOf(row),
    contentHash: contentHashOf(row.content_hash, id),
    validTime: new Date(row.valid_from),
    transactionTime: new Date(row.tx_ms),
    basis: basisOf(row.tx_id),
  };
}
