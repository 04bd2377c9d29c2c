import { erasedMark, missingMark } from "@cm/context-log/state";
import type { ObjectDocument } from "@cm/object-model";

/** A document of the store, or that it was lost. One that was erased is not among those that were read. */
export type ReadDocument = ObjectDocument | "missing";

/** How many texts a file cannot have. */
export interface GoneTexts {
  /** They were erased from the store: `[erased]` stands for them. */
  erased: number;
  /** The store has lost them: `[missing]` stands for them. */
  missing: number;
}

/** Counts a text that is gone, and gives what stands in its place. @param document the one whose text it was */
export function markFor(document: ReadDocument | undefined, gone: GoneTexts): string {
  if (document === "missing") {
    gone.missing += 1;
    return missingMark;
  }
  gone.erased += 1;
  return erasedMark;
}
