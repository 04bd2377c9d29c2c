import type { TrackingState } from "./contract.ts";

/**
 * The state of something whose changes are hinted from now on: one that was not watched before is resumed (SSOT 5.9).
 */
export function watchedState(before: TrackingState): TrackingState {
  switch (before) {
    case "unchecked":
      return "attached";
    case "orphaned":
      return "resumed";
    default:
      return before;
  }
}
