import type { RunStatus } from "../documents/types.ts";
import { fault } from "../errors.ts";

/** The seed's state diagram, all of it. */
const moves: Readonly<Record<RunStatus, readonly RunStatus[]>> = {
  created: ["committed", "awaiting_tool_results", "failed"],
  committed: ["archived"],
  awaiting_tool_results: [],
  failed: [],
  archived: [],
};

export const canMove = (from: RunStatus, to: RunStatus): boolean => moves[from].includes(to);

/** @throws CmError `lineage/bad-move` */
export function checkMove(id: string, from: RunStatus, to: RunStatus): void {
  if (canMove(from, to)) return;
  const message = `The run ${id} is ${from} and does not become ${to}; only a created run ends, only a committed one is archived.`;
  throw fault("lineage/bad-move", message, { id, from, to });
}

/** Whether another run may go on from a run of this status. */
export const isSnapshot = (status: RunStatus): boolean => status === "committed" || status === "awaiting_tool_results";
