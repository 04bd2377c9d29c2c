import type { AnswerItem, BranchItem, ResultItem, SaidItem } from "../branch/branch-item.ts";
import { callsOf } from "../branch/calls-of.ts";

/** What a session takes in at once: something that was said, or an answer with its results, which is a step. */
export type BranchStep =
  | SaidItem
  | { readonly kind: "step"; readonly answer: AnswerItem; readonly results: readonly ResultItem[] };

/**
 * The branch from `from` on in pieces, and how many items they cover. An answer at the end is no piece as long as calls
 * of it have no result: they may still be running. `isOver`: nothing runs any more.
 */
export function branchStepsFrom(
  items: readonly BranchItem[],
  from: number,
  { isOver }: { readonly isOver: boolean },
): readonly { readonly piece: BranchStep; readonly end: number }[] {
  const pieces: { readonly piece: BranchStep; readonly end: number }[] = [];
  for (let place = from; place < items.length; ) {
    const item = items[place];
    if (item === undefined) break;
    place += 1;
    if (item.kind === "said") pieces.push({ piece: item, end: place });
    // A result without its answer belongs to one that Pi left out of its context.
    if (item.kind !== "answer") continue;
    const results = resultsAt(items, place);
    place += results.length;
    if (place === items.length && !isOver && results.length < callsOf(item.message).length) break;
    pieces.push({ piece: { kind: "step", answer: item, results }, end: place });
  }
  return pieces;
}

function resultsAt(items: readonly BranchItem[], from: number): readonly ResultItem[] {
  const results: ResultItem[] = [];
  for (let place = from; place < items.length; place += 1) {
    const item = items[place];
    if (item?.kind !== "result") break;
    results.push(item);
  }
  return results;
}
