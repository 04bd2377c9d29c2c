import { CmError, isCmError, type StoreErrorCode } from "@cm/object-model";
import { storeLimits } from "./limits.ts";

/** Primary result codes of SQLite that a caller can act on. */
const unavailable: ReadonlyMap<number, string> = new Map([
  [3, "The database file may not be opened; check its permissions."],
  [5, "The database stayed locked by another process; try again or raise busyTimeoutMs."],
  [6, "The database stayed locked; try again or raise busyTimeoutMs."],
  [7, "SQLite ran out of memory; free some and try again."],
  [8, "The database may not be written here; check the permissions of the file and of its folder."],
  [10, "The disk under the database failed; check it and try again."],
  [13, "The disk under the database is full; free space and try again."],
  [14, "The database file cannot be opened; check that its folder exists and may be written."],
  [15, "SQLite could not agree on a lock; try again."],
]);

export const damagedFile = 11;
const notADatabase = 26;

/** An error of node:sqlite carries result codes. Its message may quote SQL, so it is never passed on. */
function resultCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  // No integer that was written is too large for a number of JavaScript.
  if (error.code === "ERR_OUT_OF_RANGE") return damagedFile;
  if (error.code !== "ERR_SQLITE_ERROR") return undefined;
  return "errcode" in error && typeof error.errcode === "number" ? error.errcode : 1;
}

/** Turns SQLite's errors into the contract's; others, such as a fault of the caller's own code, pass as they are. */
export function toStoreError(error: unknown): unknown {
  const result = resultCodeOf(error);
  if (isCmError(error) || result === undefined) return error;
  const primary = result & 0xff;
  const advice = unavailable.get(primary);
  if (advice !== undefined) return storeError("store/unavailable", advice, { sqlite: result });
  if (primary === notADatabase) {
    return storeError("store/corrupt", "The file is not a SQLite database; name another path.", { sqlite: result });
  }
  return storeError("store/corrupt", "The database is damaged or not as its schema says; restore it from a copy.", {
    sqlite: result,
  });
}

/** A commit that failed while it was flushed may be on disk all the same. */
export function toCommitError(error: unknown): unknown {
  const result = resultCodeOf(error);
  const ioError = 10;
  if (result === undefined || (result & 0xff) !== ioError) return toStoreError(error);
  return storeError(
    "store/unknown-outcome",
    "The disk failed while the commit was flushed; repeat it with the same request id.",
    { sqlite: result },
  );
}

/** Whether an error says that a file is a store's and damaged, so that `recoverSqliteStore` may read something of it. */
export function isDamagedStore(error: unknown): boolean {
  if (!isCmError(error, "store/corrupt")) return false;
  const { sqlite: result, frame } = error.data;
  return frame !== undefined || (typeof result === "number" && (result & 0xff) !== notADatabase);
}

/** SQLite's primary result code; undefined for an error that is not SQLite's. */
export function resultOf(error: unknown): number | undefined {
  const result = resultCodeOf(error);
  return result === undefined ? undefined : result & 0xff;
}

export function isBusy(error: unknown): boolean {
  const busy = 5;
  return ((resultCodeOf(error) ?? 0) & 0xff) === busy;
}

/** True for an error of `toStoreError` that means a lock of another connection: nothing was written. */
export function isLockedOut(error: unknown): boolean {
  if (!isCmError(error, "store/unavailable") || typeof error.data.sqlite !== "number") return false;
  const busy = 5;
  const locked = 6;
  return [busy, locked].includes(error.data.sqlite & 0xff);
}

/** True for a file that is not a database, or not as its schema says: trying again does not help. */
export function isDamage(error: unknown): boolean {
  const result = resultCodeOf(error);
  return result !== undefined && !unavailable.has(result & 0xff);
}

/** @throws CmError `store/unavailable` */
export function checkPath(path: string): string {
  if (typeof path === "string" && path !== "" && !path.includes("\0")) return path;
  throw storeError("store/unavailable", 'The path is not one; name a file, or ":memory:".');
}

/** @throws CmError `store/limit` */
export function checkTimeout(timeoutMs: number): number {
  if (Number.isInteger(timeoutMs) && timeoutMs >= 0 && timeoutMs <= storeLimits.busyTimeoutMsMax) return timeoutMs;
  throw storeError("store/limit", "The request passes busyTimeoutMsMax.", {
    limit: "busyTimeoutMsMax",
    bound: storeLimits.busyTimeoutMsMax,
  });
}

export function storeError(
  code: StoreErrorCode,
  message: string,
  data: Readonly<Record<string, string | number | readonly string[]>> = {},
): CmError<StoreErrorCode> {
  return new CmError(code, message, data);
}
