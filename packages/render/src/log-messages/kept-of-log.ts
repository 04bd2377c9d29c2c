import type { LogEntry } from "@cm/context-log";

/**
 * What is kept of each log from one view to the next, made when it is asked for first. A log grows at its end and is the
 * same array in every view of an open session, so what was read of it stays true.
 */
export function keptOfLog<Kept extends object>(make: () => Kept): (log: readonly LogEntry[]) => Kept {
  const keptOf = new WeakMap<readonly LogEntry[], Kept>();
  return (log) => {
    const kept = keptOf.get(log) ?? make();
    keptOf.set(log, kept);
    return kept;
  };
}
