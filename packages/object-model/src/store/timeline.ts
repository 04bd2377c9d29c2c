import { CmError } from "../errors.ts";
import { checkMoment } from "./check-input.ts";
import type { AsOf, Basis } from "./contract.ts";

/** A place on both time axes: a valid time in milliseconds since the epoch, and a transaction by its number. */
export interface TimelinePlace {
  readonly validMs: number;
  readonly txId: number;
}

/** Sorts the versions of one object as `history` lists them: by valid time and then transaction, newest first. */
export function newestFirst(a: TimelinePlace, b: TimelinePlace): number {
  return b.validMs - a.validMs || b.txId - a.txId;
}

/** The version that holds at a moment: the greatest valid time not after it, among equal ones the latest transaction. */
export function holdingAt<Version extends TimelinePlace>(
  sortedNewestFirst: Iterable<Version>,
  { validMs, txId }: TimelinePlace,
): Version | undefined {
  for (const version of sortedNewestFirst) if (version.validMs <= validMs && version.txId <= txId) return version;
  return undefined;
}

/** The times of a read, from a basis or from dates. @throws CmError `store/invalid-input` */
export function asOf(at: Basis | AsOf | undefined): AsOf {
  checkMoment(at);
  return typeof at === "string" ? { basis: at } : (at ?? {});
}

/**
 * The valid time that a read asks about, in milliseconds: the one it names, else that of its basis, else now, which is
 * never before the newest transaction.
 * @param transactionMs the time of the basis, or of the newest transaction where none is named
 * @throws CmError `store/invalid-document` for a date that is none, `store/unavailable` for a clock that is none
 */
export function readMs({ basis, validTime }: AsOf, transactionMs: number, now: () => number): number {
  if (validTime !== undefined) return timeOf(validTime);
  return basis === undefined ? nextTransactionMs(transactionMs, now) : transactionMs;
}

/**
 * The time of a transaction that begins now. Times never run backwards, also when the clock does.
 * @throws CmError `store/unavailable` for a clock that is none
 */
export const nextTransactionMs = (newestMs: number, now: () => number): number => Math.max(clockMs(now), newestMs);

/** @throws CmError `store/invalid-document` for a date that is none */
export function timeOf(date: Date): number {
  const ms = date instanceof Date ? date.getTime() : Number.NaN;
  if (Number.isSafeInteger(ms)) return ms;
  throw new CmError("store/invalid-document", "The valid time is not a date; give one that exists.");
}

/** What was written at a time that is none could not be found by time again. */
function clockMs(now: () => number): number {
  const ms = Math.trunc(now());
  if (Number.isSafeInteger(ms) && ms >= 0) return ms;
  throw new CmError("store/unavailable", "The store's clock gives no time; its `now` must be milliseconds since 1970.");
}
