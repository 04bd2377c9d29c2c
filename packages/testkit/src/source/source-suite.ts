import type { ConformanceSuite } from "../suite.ts";
import { absence } from "./laws/absence.ts";
import { batches } from "./laws/batches.ts";
import { bindings } from "./laws/bindings.ts";
import { calls } from "./laws/calls.ts";
import { content } from "./laws/content.ts";
import { known } from "./laws/known.ts";
import { names } from "./laws/names.ts";
import { trackers } from "./laws/trackers.ts";
import { type SourceFactory, sourceCase } from "./source-case.ts";

/** The law of "source/1". The laws of trackers are nothing to a source without `track`. */
export const sourceSuite: ConformanceSuite<SourceFactory> = {
  contract: "source/1",
  cases: [...bindings, ...batches, ...content, ...known, ...absence, ...calls, ...names, ...trackers].map(sourceCase),
};
