import {
  type CheckedCommit,
  type CommitReceipt,
  checkAgainstNewest,
  isCmError,
  type ObjectDocument,
} from "@cm/object-model";
import { type PayloadRow, payloadOf } from "@cm/object-model/stored-form";
import type { Bytes, Connection } from "./connection.ts";
import { insertVersion, type PreparedWrite } from "./insert-version.ts";
import { beginTransaction } from "./moment.ts";
import { objectNamed } from "./objects.ts";
import { repeatedReceipt, saveReceipt, type WriteResult } from "./receipts.ts";
import { basisOf, tokenOf } from "./tokens.ts";

type Target = PreparedWrite & {
  readonly oid: number | undefined;
  readonly type: string | undefined;
  readonly newest: number | undefined;
};

const selectNewest = "SELECT max(vid) AS vid FROM version WHERE oid = ?";
const selectHolding = `SELECT v.content_hash, v.enc, v.payload, whole(n.name) AS session_name
  FROM version v LEFT JOIN session n ON n.session_id = v.session_id
  WHERE v.oid = ? AND v.valid_from <= ? ORDER BY v.valid_from DESC, v.tx_id DESC LIMIT 1`;

/** Writes a checked commit, under the write lock. */
export function writeCommit(
  connection: Connection,
  { commit, writes, now }: { commit: CheckedCommit; writes: readonly PreparedWrite[]; now: () => number },
): CommitReceipt {
  const repeated = repeatedReceipt(connection, commit);
  if (repeated !== undefined) return repeated;
  const targets = writes.map((write) => targetOf(connection, write));
  checkAgainstNewest(targets, {
    typeOf: ({ type }) => type,
    tokenOf: ({ newest }) => (newest === undefined ? "absent" : tokenOf(newest)),
  });
  const transaction = beginTransaction(connection, now);
  const validFromMs = commit.validTimeMs ?? transaction.timeMs;
  const results = targets.map((target): WriteResult => {
    const { oid, newest } = target;
    if (oid !== undefined && newest !== undefined && holdsAlready(connection, { ...target, oid }, validFromMs)) {
      return { vid: newest, written: false };
    }
    return { vid: insertVersion(connection, target, { transaction, validFromMs }), written: true };
  });
  saveReceipt(connection, commit, { txId: transaction.txId, results });
  return {
    basis: basisOf(transaction.txId),
    transactionTime: new Date(transaction.timeMs),
    results: results.map(({ vid, written }, place) => ({
      id: targets[place]?.document["xt/id"] ?? "",
      outcome: written ? "written" : "unchanged",
      token: tokenOf(vid),
    })),
  };
}

function targetOf(connection: Connection, write: PreparedWrite): Target {
  const object = objectNamed(connection, write.document["xt/id"]);
  if (object === undefined) return { ...write, oid: undefined, type: undefined, newest: undefined };
  const newest = connection.get<{ vid: number | null }>(selectNewest, object.oid)?.vid ?? undefined;
  return { ...write, ...object, newest };
}

/** True where the version that holds at the valid time says the same: writing it again would add nothing. */
function holdsAlready(connection: Connection, target: Target & { oid: number }, validFromMs: number): boolean {
  const holding = connection.get<PayloadRow & { content_hash: Bytes }>(selectHolding, target.oid, validFromMs);
  if (holding === undefined || holding.payload === null) return false;
  const { document }: { document: ObjectDocument } = target;
  if (!target.contentHash.equals(holding.content_hash)) return false;
  try {
    return payloadOf(holding, document["xt/id"]).source_hash === document.source_hash;
  } catch (error) {
    // A new write puts a sound version above the damaged one.
    if (isCmError(error, "store/corrupt")) return false;
    throw error;
  }
}
