import {
  type AssembledRequest,
  entriesToDemote,
  type LogState,
  type Membership,
  memberCount,
  newResults,
  touchedBy,
} from "@cm/context-log/state";
import type { DocumentOf, SetChanges } from "@cm/object-model";

interface StepSoFar {
  readonly request: Pick<AssembledRequest, "changesBefore" | "decision">;
  /** What the step changes since its request, and the sets as that leaves them. */
  readonly changes: SetChanges;
  readonly members: Membership;
  readonly toolcalls: readonly DocumentOf<"toolcall">[];
  readonly poolEntriesMax: number;
}

/** Pool entries for which the budget has no room after a step. The state's sets are as they were at the request. */
export function overBudget(
  state: LogState,
  { request, changes, members, toolcalls, poolEntriesMax }: StepSoFar,
): readonly string[] {
  const { sets, idle } = state;
  const poolSize = memberCount(sets, "pool", changes);
  if (poolSize <= poolEntriesMax) return [];
  const results = toolcalls.map(({ "xt/id": object, file_refs: files = [] }) => ({ object, files }));
  const touched = touchedBy({
    changesBefore: request.changesBefore,
    recall: request.decision.recall?.map(({ object }) => object),
    changes,
    results: [...newResults(state), ...results],
  });
  return entriesToDemote({ members, poolSize, idle, touched, poolEntriesMax });
}
