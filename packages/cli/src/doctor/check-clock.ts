import type { StoreCheck } from "@cm/object-model";
import type { SessionSummary } from "@cm/session";
import { durationText, momentText } from "@cm/terminal-text";
import { limits } from "../limits.ts";
import { type CheckLine, ok, warn } from "./check-line.ts";

/** The parts of a store with their own time. */
export interface Dated {
  readonly sessions: readonly SessionSummary[];
  readonly newestTransactionTime: StoreCheck["newestTransactionTime"];
}

/**
 * Transaction times never run backwards: one commit under a clock that was far ahead dates all that follow. A clock that
 * went back would date new steps before old ones.
 */
export function checkClock({ sessions, newestTransactionTime }: Dated, now: number): CheckLine {
  const newest = newestTransactionTime?.getTime() ?? 0;
  if (newest > now + limits.clockSkewMs) return jumped(newest, now);
  const step = Math.max(0, ...sessions.map(({ recordedAtMs = 0 }) => recordedAtMs));
  if (step <= now + limits.clockSkewMs) return ok("clock", momentText(now));
  return warn(
    "clock",
    `This clock says ${momentText(now)}, the newest step is of ${momentText(step)}`,
    "Set the clock of the machine that is wrong.",
  );
}

function jumped(newest: number, now: number): CheckLine {
  return warn(
    "clock",
    `The newest transaction of the store is of ${momentText(newest)}, ${durationText(newest - now)} ahead of this clock, which says ${momentText(now)}`,
    `Set this clock if it is wrong. If another one was wrong when that was written, nothing is lost and the order holds, but all that is written before then gets that time; sessions that are carried into a new store with cm export and cm import get true ones.`,
  );
}
