import type { DocumentOf, SetChanges } from "@cm/object-model";
import type { ResultEntry } from "../log-entries.ts";
import type { PromptDecision } from "../view.ts";
import { changedIds, isIdle, type Membership } from "./session-sets.ts";

/** What a step says of the objects it used: all that the order of use follows from. */
export interface StepUse {
  readonly changesBefore: SetChanges | undefined;
  readonly recall: readonly string[] | undefined;
  readonly changes: SetChanges;
  /** Results, with the files that their calls read, edited or discovered. */
  readonly results: readonly { readonly object: string; readonly files: readonly string[] }[];
}

/** The objects that a step used, the newest last: those it moved, those it brought back, its calls and their files. */
export function touchedBy({ changesBefore = {}, recall = [], changes, results }: StepUse): ReadonlySet<string> {
  const touched = new Set<string>();
  const used = [
    ...changedIds(changesBefore),
    ...recall,
    ...changedIds(changes),
    ...results.flatMap(({ object, files }) => [...files, object]),
  ];
  for (const id of used) {
    touched.delete(id);
    touched.add(id);
  }
  return touched;
}

/** As a recorded step says it, so that a resumed session has the same order. @param results those of the step */
export function touchedIn(
  { changes_before: changesBefore, changes }: DocumentOf<"step">,
  { recall: recalled }: PromptDecision,
  results: readonly ResultEntry[],
): ReadonlySet<string> {
  const recall = recalled?.map(({ object }) => object);
  return touchedBy({ changesBefore, recall, changes, results });
}

/** Keeps the idle entries in order of use: what was used goes last, what is idle no more leaves. */
export function useEntries(idle: Set<string>, touched: ReadonlySet<string>, sets: Membership): void {
  for (const id of touched) {
    idle.delete(id);
    if (isIdle(sets, id)) idle.add(id);
  }
}
