import { bugsOfSourceBindings } from "./of-sources-bindings.ts";
import { bugsOfSourceCalls } from "./of-sources-calls.ts";
import { bugsOfSourceContent } from "./of-sources-content.ts";
import { bugsOfSourceStates } from "./of-sources-states.ts";
import { bugsOfSourceTrackers } from "./of-sources-trackers.ts";
import type { PlantedSourceBug } from "./planted-source-bug.ts";

/** Sources that `sourceSuite` must reject: they show what the suite is worth. */
export const plantedSourceBugs: readonly PlantedSourceBug[] = [
  ...bugsOfSourceBindings,
  ...bugsOfSourceContent,
  ...bugsOfSourceStates,
  ...bugsOfSourceCalls,
  ...bugsOfSourceTrackers,
];
