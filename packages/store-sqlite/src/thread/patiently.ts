import { setImmediate } from "node:timers/promises";
import { isLockedOut } from "../errors.ts";

/**
 * Repeats the work while another connection holds a lock, up to the given time. SQLite waits for a slice of that time
 * inside each call; the thread can be ended only between the calls.
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
