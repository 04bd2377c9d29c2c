import { CmError, isCmError, refusals, type StoreErrorCode } from "@cm/object-model";
import { storeError } from "../errors.ts";
import type { Fault, JobName } from "./messages.ts";

/** An error as plain data: a clone of it would lose its code. */
export function faultOf(error: unknown): Fault {
  if (isCmError(error)) return { code: error.code, message: error.message, data: error.data };
  // The message of an unknown error may quote anything.
  return { thrown: error instanceof Error ? error.name : typeof error };
}

export function errorOf(fault: Fault): Error {
  if ("code" in fault) return new CmError(fault.code as StoreErrorCode, fault.message, fault.data);
  return storeError("store/unavailable", "The store's thread failed; close the store and open it again.", {
    thrown: fault.thrown,
  });
}

/** The error of a call whose thread ended meanwhile. Its write may have succeeded. */
export function lost(job: JobName): Error {
  if (job === "commit") {
    return storeError(
      "store/unknown-outcome",
      "The store's thread ended during the commit; open the store again and repeat it with the same request id.",
    );
  }
  if (job === "erase") {
    return storeError("store/unknown-outcome", "The store's thread ended during the erasure; open the store again.");
  }
  return ended();
}

export function ended(): Error {
  return storeError("store/unavailable", "The store's thread ended; open the store again.");
}

export function closed(): Error {
  return refusals.closed();
}

/** The argument is not data, for example a function; the error does not show it. */
export function notPlain(): Error {
  return storeError("store/unsupported", "The request holds something else than plain data; give strings and dates.");
}
