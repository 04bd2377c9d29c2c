/** Runs something once after a time; the answer calls it off. Handed in by tests. */
export type Timer = (ms: number, run: () => void) => () => void;

/** The system's clock. It does not keep the process alive. */
export const systemTimer: Timer = (ms, run) => {
  const timeout = setTimeout(run, ms).unref();
  return () => clearTimeout(timeout);
};
