import { isCmError } from "@cm/object-model";
import { sessionError } from "../errors.ts";
import { limits } from "../limits.ts";

export interface Retry {
  readonly session: string;
  /** What is said when no attempt is left. Default: that other writers kept winning. */
  readonly busy?: string;
  /** Called after each conflict with the ids of the objects that others wrote meanwhile. */
  readonly lost?: (ids: ReadonlySet<string>) => Promise<void>;
}

/**
 * Makes an attempt to commit, and another one after each `store/conflict`: an attempt reads anew what others wrote.
 * @param attempt called with its number, from 1
 * @throws CmError `session/busy` after `limits.commitAttemptsMax` attempts, or what an attempt throws else
 */
export async function retryOnConflict<T>(
  { session, busy = `Other writers of session ${session} kept winning; try again.`, lost }: Retry,
  attempt: (number: number) => Promise<T>,
): Promise<T> {
  for (let number = 1; number <= limits.commitAttemptsMax; number += 1) {
    try {
      return await attempt(number);
    } catch (error) {
      if (!isCmError(error, "store/conflict")) throw error;
      await lost?.(new Set(error.data.ids as readonly string[]));
    }
  }
  throw sessionError("session/busy", busy, { session });
}
