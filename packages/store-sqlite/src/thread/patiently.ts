import { setImmediate } from "node:timers/promises";
import { isLockedOut } from "../errors.ts";

/**
 * Does the work again while somebody else holds a lock, up to the time given. SQLite waits for a slice of it inside
 * each call; between the calls the thread can be ended, which it cannot while it is in SQLite.
 */
export async function patiently<T>(timeoutMs: number, work: () => T | Promise<T>): Promise<T> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isLockedOut(error) || performance.now() >= until) throw error;
    }
    await setImmediate();
  }
}
