import type { DisplayEvent } from "../display/fold-display.ts";
import type { PendingCall, StepState, UsageSummary } from "../documents/types.ts";
import type { RunState } from "../state/contract.ts";
import type { Run } from "./run.ts";

export interface RunEnd {
  /** `awaiting_tool_results` where its output asks for an answer from outside. */
  readonly status: "committed" | "awaiting_tool_results";
  /** A step of a session with the basis at which it is read, or what the caller wants back. */
  readonly state: StepState | RunState;
  /** The final text. */
  readonly output?: string;
  /** The events of the run; they are folded here. */
  readonly display?: Iterable<DisplayEvent>;
  readonly usage?: Readonly<Record<string, UsageSummary>>;
  /** Default: since the run was created. */
  readonly durationMs?: number;
  /** The calls that wait. */
  readonly pending?: readonly PendingCall[];
}

/** How a run ended whose process was gone before it could say so; undefined where that is not known. */
export type EndOfOrphan = (run: Run) => Promise<(RunEnd & { readonly state: StepState }) | undefined>;
