import type { UnusedOutput } from "@cm/replay";
import { sessionName } from "./report-columns.ts";
import type { SessionReport } from "./session-report.ts";

/** The outputs of all sessions that were carried furthest after their last use, in characters times requests. */
export function heaviestOutputs(
  reports: readonly SessionReport[],
  most: number,
): readonly (UnusedOutput & { readonly session: string })[] {
  return reports
    .flatMap((report) => report.use.heaviest.map((output) => ({ ...output, session: sessionName(report) })))
    .sort((a, b) => b.chars * b.requests - a.chars * a.requests)
    .slice(0, most);
}
