import { logError } from "../errors.ts";
import { limits } from "../limits.ts";
import { isIdle, type Membership } from "./session-sets.ts";

export interface PoolToKeep {
  /** The sets as the step leaves them. */
  readonly members: Membership;
  readonly poolSize: number;
  /** The idle entries before the step, the one that was used longest ago first. */
  readonly idle: ReadonlySet<string>;
  /** What the step used, in that order: it goes last. */
  readonly touched: ReadonlySet<string>;
  readonly poolEntriesMax: number;
}

/**
 * Pool entries that become indexed only so that the pool keeps its budget (SSOT 3.2): those that were used longest ago
 * of the idle ones. Where too few are idle, the pool stays larger than its budget. The work follows the step.
 */
export function entriesToDemote({ members, poolSize, idle, touched, poolEntriesMax }: PoolToKeep): readonly string[] {
  let excess = poolSize - poolEntriesMax;
  const demoted: string[] = [];
  if (excess <= 0) return demoted;
  for (const id of inOrderOfUse(idle, touched)) {
    if (excess === 0) break;
    if (!isIdle(members, id)) continue;
    demoted.push(id);
    excess -= 1;
  }
  return demoted;
}

function* inOrderOfUse(idle: ReadonlySet<string>, touched: ReadonlySet<string>): Generator<string> {
  for (const id of idle) if (!touched.has(id)) yield id;
  yield* touched;
}

/** The budget as it was asked for. @throws CmError `session/invalid-input` */
export function poolBudget(poolEntriesMax: number = limits.poolEntriesMax): number {
  if (Number.isSafeInteger(poolEntriesMax) && poolEntriesMax >= 1) return poolEntriesMax;
  throw logError("session/invalid-input", "The option poolEntriesMax is no number of entries; give one from 1 on.");
}
