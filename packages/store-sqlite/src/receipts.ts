import { type CheckedCommit, type CommitReceipt, refusals, sha256 } from "@cm/object-model";
import { toOrderedText } from "@cm/object-model/stored-form";
import type { Bytes, Connection } from "./connection.ts";
import { idOf } from "./objects.ts";
import { basisOf, tokenOf } from "./tokens.ts";

export interface WriteResult {
  readonly vid: number;
  readonly written: boolean;
}

const selectRequest = `SELECT r.fingerprint, r.tx_id, t.time, r.results
  FROM request r JOIN tx t ON t.tx_id = r.tx_id WHERE r.request_hash = ?`;
const selectOid = "SELECT oid FROM version WHERE vid = ?";
const insertRequest = "INSERT INTO request(request_hash, fingerprint, tx_id, results) VALUES (?, ?, ?, ?)";

/**
 * The receipt of the same commit under the same request id, if there was one.
 * @throws CmError `store/request-reused`
 */
export function repeatedReceipt(
  connection: Connection,
  { requestId, fingerprint }: CheckedCommit,
): CommitReceipt | undefined {
  if (requestId === undefined) return undefined;
  const row = connection.get<{ fingerprint: Bytes; tx_id: number; time: number; results: string }>(
    selectRequest,
    requestHash(requestId),
  );
  if (row === undefined) return undefined;
  if (!halfOf(fingerprint).equals(row.fingerprint)) throw refusals.requestReused();
  return {
    basis: basisOf(row.tx_id),
    transactionTime: new Date(row.time),
    results: decodeResults(row.results).map(({ vid, written }) => ({
      id: idOf(connection, connection.get<{ oid: number }>(selectOid, vid)?.oid ?? 0),
      outcome: written ? "written" : "unchanged",
      token: tokenOf(vid),
    })),
  };
}

export function saveReceipt(
  connection: Connection,
  { requestId, fingerprint }: CheckedCommit,
  { txId, results }: { txId: number; results: readonly WriteResult[] },
): void {
  if (requestId === undefined) return;
  connection.run(insertRequest, requestHash(requestId), halfOf(fingerprint), txId, encodeResults(results));
}

/** Ids may be long, and one is needed for each commit. Ordered text keeps apart what UTF-8 would write alike. */
function requestHash(requestId: string): Buffer {
  return halfOf(sha256(toOrderedText(requestId)));
}

/** 128 bits are plenty to tell requests apart. */
function halfOf(sha256Hex: string): Buffer {
  return Buffer.from(sha256Hex.slice(0, 32), "hex");
}

/** The version of each write, with a minus sign where none was written and it is the newest one there was. */
function encodeResults(results: readonly WriteResult[]): string {
  return results.map(({ vid, written }) => (written ? vid : -vid)).join(" ");
}

function decodeResults(text: string): readonly WriteResult[] {
  if (text === "") return [];
  return text.split(" ").map((number) => ({ vid: Math.abs(Number(number)), written: Number(number) > 0 }));
}
