/** The timers of a tracker. */
export interface Timers {
  /** Calls back once, after so many milliseconds; the handle is for `clear`. */
  set(callback: () => void, ms: number): unknown;
  clear(handle: unknown): void;
}

/** Timers that do not keep the process alive: a tracker is no reason to go on. */
export const systemTimers: Timers = {
  set: (callback, ms) => setTimeout(callback, ms).unref(),
  clear: (handle) => clearTimeout(handle as NodeJS.Timeout | undefined),
};
