import type { RunResult } from "../../../src/replay/run-result.ts";
import { syntheticRuns } from "./synthetic-runs.ts";

/** Tries to leave an element, an attribute and a script, to turn the line around and to steer a terminal. */
export const hostile = `</title></style><script>alert(1)</script>"' onload='x' <img src=http://evil.example/x> &lt; \u202egnp.exe \u001b[31m\u0000\ud800`;

/** Runs in which every text from outside is hostile. */
export function hostileRuns(): RunResult[] {
  return syntheticRuns({ calls: 60 }).map((run, at) => ({
    ...run,
    file: hostile,
    recording: hostile,
    policy: `${hostile}${at}`,
    layout: hostile,
    session: hostile,
    store: "sqlite",
    database: hostile,
    warnings: [hostile],
    calls: run.calls.map((call) =>
      call.fold === undefined ? call : { ...call, fold: { ...call.fold, reason: hostile } },
    ),
  }));
}
