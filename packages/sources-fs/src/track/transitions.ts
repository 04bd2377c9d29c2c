import { type TrackingState, watchedState } from "@cm/object-model";

/** The state of a followed file, and the reason for a missing watch. */
export interface TrackingStatus {
  readonly state: TrackingState;
  readonly reason?: string;
}

/** `watched`: its folder's watch is ready. `lost`: there is no watch, for a fixed reason. `closed`: the tracker ended. */
export type TrackingEvent =
  | { readonly kind: "watched" }
  | { readonly kind: "lost"; readonly reason: string }
  | { readonly kind: "closed" };

export const closedReason = "tracker closed";

/** SSOT 5.9. A closed tracker stays closed: nothing that is still under way may bring a state back. */
export function nextStatus(status: TrackingStatus, event: TrackingEvent): TrackingStatus {
  if (status.reason === closedReason) return status;
  switch (event.kind) {
    case "watched":
      return { state: watchedState(status.state) };
    case "lost":
      return { state: "orphaned", reason: event.reason };
    case "closed":
      return { state: "orphaned", reason: closedReason };
  }
}
