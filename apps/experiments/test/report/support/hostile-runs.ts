import type { RunResult } from "@cm/replay";
import { withLives } from "./synthetic-lives.ts";
import { syntheticRuns } from "./synthetic-runs.ts";

/** Tries to leave an element, an attribute and a script, to turn the line around and to steer a terminal. */
export const hostile = `</title></style><script>alert(1)</script>"' onload='x' <img src=http://evil.example/x> &lt; \u202egnp.exe \u001b[31m\u0000\ud800`;

/** Runs in which every text from outside is hostile. */
export function hostileRuns(): RunResult[] {
  return withLives(syntheticRuns({ calls: 60 })).map((run, at) => ({
    ...run,
    file: hostile,
    recording: hostile,
    policy: `${hostile}${at}`,
    layout: hostile,
    session: hostile,
    store: "sqlite",
    database: hostile,
    warnings: [hostile],
    parts: (run.parts ?? []).map((part) => ({
      ...{ ...part, tool: hostile, target: hostile },
      forms: part.forms.map((stand, place) => ({ ...stand, reason: hostile, ...(place > 0 ? { form: hostile } : {}) })),
    })),
    calls: run.calls.map((call) => ({
      ...call,
      ...(call.fold === undefined ? {} : { fold: { ...call.fold, reason: hostile } }),
      ...(call.missed === undefined ? {} : { missed: call.missed.map((miss) => ({ ...miss, line: hostile })) }),
      ...(call.recalled === undefined ? {} : { recalled: [hostile] }),
    })),
  }));
}
