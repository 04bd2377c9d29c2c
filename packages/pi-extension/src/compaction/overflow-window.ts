import { compactionLimits } from "./limits.ts";

/** A model's true window, learned from requests that it refused. Sizes are UTF-8 bytes of the messages. */
export interface OverflowWindow {
  readonly model: string;
  /** The smallest prompt that was refused. */
  readonly refusedBytes: number;
  /** Since then no request succeeded. */
  readonly isOpen: boolean;
}

export type OverflowEvent =
  | { readonly kind: "refused"; readonly model: string; readonly sentBytes: number }
  | { readonly kind: "succeeded"; readonly model: string };

/**
 * Pi tries once more after a request that was too large, so the next one must be much smaller: its bound is a part of
 * what was refused. Once one was taken, it may grow again to a little below that. Another model has another window.
 */
export function afterOverflow(state: OverflowWindow | undefined, event: OverflowEvent): OverflowWindow | undefined {
  const known = state?.model === event.model ? state : undefined;
  if (event.kind === "succeeded") return known === undefined ? undefined : { ...known, isOpen: false };
  if (!Number.isFinite(event.sentBytes) || event.sentBytes <= 0) return known;
  // A prompt that was made within the bound and refused again says that even this part is too much.
  const refusedBytes = Math.min(event.sentBytes, known?.refusedBytes ?? Number.POSITIVE_INFINITY);
  return { model: event.model, refusedBytes, isOpen: true };
}

/** The bound for the next prompt's messages. Undefined where nothing was refused by this model. */
export function overflowBytesMax(state: OverflowWindow | undefined, model: string): number | undefined {
  if (state === undefined || state.model !== model) return undefined;
  const percent = state.isOpen ? compactionLimits.refusedPercent : compactionLimits.acceptedPercent;
  return Math.max(compactionLimits.promptBytesMin, Math.floor((state.refusedBytes * percent) / 100));
}
