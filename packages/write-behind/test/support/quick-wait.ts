import { setImmediate } from "node:timers/promises";
import type { Wait } from "../../src/index.ts";

const msPerTurn = 50;

/** Time that passes in turns of the loop: what needs none is answered before any deadline. */
export const quickWait: Wait = async (ms, signal) => {
  for (let passed = 0; passed < ms && !signal.aborted; passed += msPerTurn) await setImmediate();
};

/** Turns of the loop until the condition holds. */
export async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; !condition(); turn += 1) {
    if (turn > 20_000) throw new Error("The condition never came to hold.");
    await setImmediate();
  }
}
