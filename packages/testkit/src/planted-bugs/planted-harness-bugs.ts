import { bugsOfHarnessRecords } from "./of-harness-records.ts";
import { bugsOfHarnessRequests } from "./of-harness-requests.ts";
import type { PlantedHarnessBug } from "./planted-harness-bug.ts";

/** Harnesses that `harnessSuite` must reject: they show what the suite is worth. */
export const plantedHarnessBugs: readonly PlantedHarnessBug[] = [...bugsOfHarnessRequests, ...bugsOfHarnessRecords];
