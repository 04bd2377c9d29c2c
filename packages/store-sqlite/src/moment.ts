import { type AsOf, type Basis, refusals, timeline } from "@cm/object-model";
import type { Connection } from "./connection.ts";
import { damagedFile, storeError } from "./errors.ts";
import { txIdOf } from "./tokens.ts";

/** A transaction and a valid time: what a read looks at. */
export interface Moment {
  readonly txId: number;
  readonly validTimeMs: number;
}

export interface Transaction {
  readonly txId: number;
  readonly timeMs: number;
}

/** The transaction being written, with the rows it has asked for by name: they are asked for once. */
export interface OpenTransaction extends Transaction {
  readonly kinds: Map<string, number>;
  readonly places: Map<string, number>;
}

const selectNewest = "SELECT tx_id, time FROM tx ORDER BY tx_id DESC LIMIT 1";
const selectTime = "SELECT time FROM tx WHERE tx_id = ?";
const insertTx = "INSERT INTO tx(tx_id, time) VALUES (?, ?)";

/**
 * The empty store is transaction 0, at time 0.
 * @throws CmError `store/corrupt` for a time that is none: as times never run backwards, each later one would be none, too
 */
function newestTransaction(connection: Connection): Transaction {
  const row = connection.get<{ tx_id: number; time: number }>(selectNewest);
  if (row === undefined) return { txId: 0, timeMs: 0 };
  if (isTime(row.time)) return { txId: row.tx_id, timeMs: row.time };
  throw storeError("store/corrupt", "The newest transaction has a time that is none; restore the file from a copy.", {
    sqlite: damagedFile,
  });
}

/** Milliseconds since 1970 that a `Date` takes. */
export const isTime = (ms: unknown): boolean => typeof ms === "number" && ms >= 0 && ms <= 8_640_000_000_000_000;

/** Opens the next transaction, under the write lock. */
export function beginTransaction(connection: Connection, now: () => number): OpenTransaction {
  const last = newestTransaction(connection);
  const next = { txId: last.txId + 1, timeMs: timeline.nextTransactionMs(last.timeMs, now) };
  connection.run(insertTx, next.txId, next.timeMs);
  return { ...next, kinds: new Map(), places: new Map() };
}

/** @throws CmError `store/unknown-basis`, `store/invalid-document` */
export function momentOf(connection: Connection, at: Basis | AsOf | undefined, now: () => number): Moment {
  const asked = timeline.asOf(at);
  const newest = newestTransaction(connection);
  const { txId, timeMs } = asked.basis === undefined ? newest : transactionOf(connection, asked.basis, newest);
  return { txId, validTimeMs: timeline.readMs(asked, timeMs, now) };
}

function transactionOf(connection: Connection, basis: Basis, newest: Transaction): Transaction {
  const txId = txIdOf(basis);
  if (txId === newest.txId) return newest;
  if (txId === 0) return { txId: 0, timeMs: 0 };
  const time = txId < newest.txId ? connection.get<{ time: number }>(selectTime, txId)?.time : undefined;
  if (time !== undefined) return { txId, timeMs: time };
  throw refusals.unknownBasis();
}
