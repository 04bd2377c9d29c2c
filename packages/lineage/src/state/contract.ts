import type { DisplayEvent } from "../display/fold-display.ts";

/** What restores an agent. Not for callers: what they may see are the display messages. */
export interface RunState {
  readonly context_state?: unknown;
  readonly message_history?: unknown;
  readonly environment_state?: unknown;
}

/**
 * "state-store/1": the large and immutable part of a snapshot, by run id. `sessions/{id}/state.json` and
 * `sessions/{id}/display_messages.json`, below a prefix that keeps several stores apart.
 *
 * Promises: a reader sees a whole document or none. Both writes may be repeated. `deleteRun` takes both and may be
 * repeated. Ids were checked before. Every error is a CmError with `lineage/state-unreadable`, `lineage/state-unwritten`
 * or `lineage/limit`.
 */
export interface StateStore {
  readonly contract: "state-store/1";
  writeState(id: string, state: RunState): Promise<void>;
  writeDisplay(id: string, events: readonly DisplayEvent[]): Promise<void>;
  /** Undefined where there is none. */
  readState(id: string): Promise<RunState | undefined>;
  /** Undefined where there are none. */
  readDisplay(id: string): Promise<readonly DisplayEvent[] | undefined>;
  deleteRun(id: string): Promise<void>;
  close?(): Promise<void>;
}
