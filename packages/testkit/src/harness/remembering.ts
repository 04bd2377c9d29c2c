import type { HarnessUnderTest } from "./harness-case.ts";
import type { HarnessRun } from "./harness-run.ts";

/** A harness that plays each conversation once: many cases look at the same run. For those that are slow to start. */
export function remembering(harness: HarnessUnderTest): HarnessUnderTest {
  const runs = new Map<string, Promise<HarnessRun>>();
  return {
    ...harness,
    play(conversation) {
      const run = runs.get(conversation.id) ?? harness.play(conversation);
      runs.set(conversation.id, run);
      return run;
    },
  };
}
