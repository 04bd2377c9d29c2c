import { setTimeout as wait } from "node:timers/promises";
import { isCmError } from "@cm/object-model";
import { limits } from "./limits.ts";

/**
 * Repeats what may be repeated while its store does not answer. A run whose end is not in the records would hold its
 * conversation for as long as this server lives, and one whose step is not stored would lose what its tools did.
 */
export async function untilAnswered<Value>(write: () => Promise<Value>, now: () => number = Date.now): Promise<Value> {
  const lastMs = now() + limits.recordMs;
  for (let waitMs: number = limits.recordRepeatMs; ; waitMs = Math.min(2 * waitMs, 10_000)) {
    try {
      return await write();
    } catch (error) {
      const isAway = isCmError(error, "store/unavailable") || isCmError(error, "store/unknown-outcome");
      if (!isAway || now() + waitMs > lastMs) throw error;
      await wait(waitMs);
    }
  }
}
