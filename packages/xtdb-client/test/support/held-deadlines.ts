import { onTestFinished, vi } from "vitest";
import { clientLimits } from "../../src/index.ts";

/**
 * A deadline so far away that no machine is too slow for it, and `pass`, which lets it pass for all calls under way:
 * the test says when, and not the clock.
 */
export function heldDeadlines(): { readonly deadlineMs: number; pass(): void } {
  const deadlineMs = clientLimits.deadlineMsMax;
  const timers = vi.spyOn(globalThis, "setTimeout");
  onTestFinished(() => timers.mockRestore());
  return {
    deadlineMs,
    pass() {
      for (const [callback, ms] of timers.mock.calls) if (ms === deadlineMs) callback();
    },
  };
}
