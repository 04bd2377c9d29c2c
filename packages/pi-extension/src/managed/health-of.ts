import { isCmError } from "@cm/object-model";
import type { Health } from "../health.ts";
import type { StoreState } from "./open-store.ts";

export interface Standing {
  /** Of the database; undefined while it is not open. */
  readonly store: StoreState | undefined;
  /** Of the branch, that the database's session does not have. */
  readonly steps: number;
  /** What went wrong last, if nothing went well since. */
  readonly failure: unknown;
  /** The database is asked for, and has not answered in time. */
  readonly isLate: boolean;
}

/** How that is called. */
export function healthOf({ store, steps, failure, isLate }: Standing): Health {
  const unwritten = steps + (store?.queued ?? 0);
  if (failure !== undefined) {
    const reason = isCmError(failure) ? failure.message : "The database cannot be used.";
    const update = isNewer(failure) ? { needsUpdate: true as const } : {};
    return { state: isDamage(failure) ? "damaged" : "offline", reason, ...update, unwritten };
  }
  if (store === undefined) {
    return isLate
      ? { state: "offline", reason: "The database does not answer.", unwritten }
      : { state: "opening", unwritten: 0 };
  }
  return store.reason === undefined
    ? { state: "ok", unwritten }
    : { state: "offline", reason: store.reason, unwritten };
}

const isDamage = (error: unknown): boolean => isCmError(error, "store/corrupt") || isCmError(error, "session/damaged");

/** A store says which schema the file has, and which one it knows. */
const isNewer = (error: unknown): boolean =>
  isCmError(error, "store/unavailable") && Number(error.data.file) > Number(error.data.known);
