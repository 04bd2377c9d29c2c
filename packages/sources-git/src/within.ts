import { withinBounds } from "@cm/object-model";
import { reasons, Trouble } from "./reasons.ts";

/** @throws Trouble when the time is up or one of the signals speaks, whether or not the work has noticed */
export function within<T>(
  deadlineMs: number,
  signals: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = () => new Trouble(reasons.timedOut);
  const stopped = (reason: unknown) => (reason instanceof Trouble ? reason : new Trouble(reasons.givenUp));
  return withinBounds({ deadlineMs, signals, late, stopped }, work);
}
