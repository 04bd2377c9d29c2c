import { bugsOfChanges } from "./of-changes.ts";
import { bugsOfCommits } from "./of-commits.ts";
import { bugsOfDefinitions } from "./of-definitions.ts";
import { bugsOfErasures } from "./of-erasures.ts";
import { bugsOfErrors } from "./of-errors.ts";
import { bugsOfIndexes } from "./of-indexes.ts";
import { bugsOfPages } from "./of-pages.ts";
import { bugsOfReads } from "./of-reads.ts";
import { bugsOfRequests } from "./of-requests.ts";
import { bugsOfSearches } from "./of-searches.ts";
import type { PlantedBug } from "./planted-bug.ts";

/** Stores that `objectStoreSuite` must reject: they show what the suite is worth. */
export const plantedBugs: readonly PlantedBug[] = [
  ...bugsOfDefinitions,
  ...bugsOfCommits,
  ...bugsOfRequests,
  ...bugsOfReads,
  ...bugsOfPages,
  ...bugsOfSearches,
  ...bugsOfIndexes,
  ...bugsOfErasures,
  ...bugsOfErrors,
  ...bugsOfChanges,
];
