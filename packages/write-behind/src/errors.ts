import { CmError, isCmError, type StoreErrorCode } from "@cm/object-model";

/** Faults of a store that say nothing about what was to be written: the same commit may succeed later. */
const passing: readonly StoreErrorCode[] = ["store/unavailable", "store/unknown-outcome", "store/corrupt"];

/** Whether a commit that failed so is kept and tried again. */
export function isTransient(error: unknown): error is CmError<StoreErrorCode> {
  return passing.some((code) => isCmError(error, code));
}

/** Whether a read that failed so may be answered from the cache. */
export function isOffline(error: unknown): error is CmError<StoreErrorCode> {
  return isCmError(error, "store/unavailable");
}

export function late(deadlineMs: number): CmError<StoreErrorCode> {
  return new CmError("store/unavailable", `The database did not answer within ${deadlineMs} ms; it is asked again.`);
}

export function full(queueBytesMax: number): CmError<StoreErrorCode> {
  return new CmError(
    "store/unavailable",
    `What waits for the database passes queueBytesMax (${queueBytesMax}); bring the database back and try again.`,
    { limit: "queueBytesMax", bound: queueBytesMax },
  );
}

export function unknown(): CmError<StoreErrorCode> {
  return new CmError(
    "store/unknown-outcome",
    "The commit is under way, and there is no room to keep it; repeat it with the same request id.",
  );
}

export function neverConnected(): CmError<StoreErrorCode> {
  return new CmError("store/unavailable", "The database was never reached, so nothing can be kept for it; try again.");
}

/** A queued commit cannot be written: other clients changed its base, or the base refuses it. */
export function broken(cause: unknown): CmError<StoreErrorCode> {
  const ids = isCmError(cause) && Array.isArray(cause.data.ids) ? cause.data.ids.map(String).slice(0, 10) : [];
  return new CmError(
    "store/unavailable",
    "What was kept while the database was offline does not fit what others wrote meanwhile; open the session anew and " +
      "write it again from your own log.",
    { ids, cause: isCmError(cause) ? cause.code : "unknown" },
    { cause },
  );
}
