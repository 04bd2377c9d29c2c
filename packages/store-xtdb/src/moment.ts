import { type AsOf, type Basis, refusals, timeline } from "@cm/object-model";
import { readBasis, type Tx } from "./basis.ts";
import { type Database, observeTransaction } from "./database.ts";
import { firstValidTime, lastValidTime } from "./limits.ts";

/** A transaction and a valid time: what a read looks at. */
export interface Moment {
  readonly tx: Tx;
  readonly validMs: number;
}

/**
 * The newest transaction. One question more for each read without a basis: XTDB's own default is the clock of the node
 * that answers, which may be behind the clock that gave a commit its time.
 */
export async function newestTx(database: Database): Promise<Tx> {
  const { client, memory, now } = database;
  const seen = memory.newest.txId;
  const tx = seen === undefined ? await client.latestCompleted() : await client.awaitTx(seen);
  if (tx === undefined) return { txId: undefined, timeMs: 0 };
  // With a clock of its own, the store's times are not XTDB's.
  const timeMs = now === undefined ? tx.txTime.getTime() : memory.newest.timeMs;
  observeTransaction(database, { txId: tx.txId, timeMs });
  return { txId: tx.txId, timeMs: Math.max(timeMs, Number.isFinite(memory.newest.timeMs) ? memory.newest.timeMs : 0) };
}

/** @throws CmError `store/unknown-basis`, `store/invalid-document` */
export async function momentOf(database: Database, at: Basis | AsOf | undefined): Promise<Moment> {
  const asked = timeline.asOf(at);
  const tx = asked.basis === undefined ? await newestTx(database) : await txOf(database, asked.basis);
  return { tx, validMs: timeline.readMs(asked, tx.timeMs, database.now ?? Date.now) };
}

async function txOf({ client, memory }: Database, basis: Basis): Promise<Tx> {
  const tx = readBasis(basis);
  if (tx !== undefined && (tx.txId ?? -1) <= (memory.newest.txId ?? -1)) return tx;
  // A transaction that is not in the log would be waited for in vain.
  const submitted = tx === undefined ? undefined : await client.latestSubmitted();
  if (tx?.txId !== undefined && submitted !== undefined && tx.txId <= submitted.txId) return tx;
  throw refusals.unknownBasis();
}

/** The query for XTDB; `undefined` if no version can hold. */
export function atOf({ tx, validMs }: Moment): { readonly txId: number; readonly validTime: Date } | undefined {
  if (tx.txId === undefined || validMs < firstValidTime.getTime()) return undefined;
  return { txId: tx.txId, validTime: new Date(Math.min(validMs, lastValidTime.getTime())) };
}
