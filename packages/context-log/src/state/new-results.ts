import type { ResultEntry } from "../log-entries.ts";
import type { SessionState } from "./session-state.ts";

/** The results that came since the newest step. */
export function newResults({ log, newFrom }: Pick<SessionState, "log" | "newFrom">): readonly ResultEntry[] {
  return log.slice(newFrom).filter((entry) => entry.kind === "result");
}
