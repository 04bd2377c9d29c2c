import type { ResultEntry } from "@cm/object-model";
import type { SessionState } from "./session-state.ts";

/** The results that came since the newest step. */
export function newResults({ log, depth }: Pick<SessionState, "log" | "depth">): readonly ResultEntry[] {
  let first = log.length;
  while (first > 0 && (log[first - 1]?.step ?? -1) >= depth) first -= 1;
  return log.slice(first).filter((entry) => entry.kind === "result");
}
