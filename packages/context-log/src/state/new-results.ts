import type { ResultEntry } from "../log-entries.ts";
import type { LogState } from "./log-state.ts";

/** The results that came since the newest step. */
export function newResults({ log, newFrom }: Pick<LogState, "log" | "newFrom">): readonly ResultEntry[] {
  return log.slice(newFrom).filter((entry) => entry.kind === "result");
}
