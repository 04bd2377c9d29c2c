import type { Ownership } from "./ownership/ownership.ts";
import type { RunRegistry } from "./ownership/registry.ts";
import type { Records } from "./records/records.ts";
import type { StateStore } from "./state/contract.ts";

/** What all operations of one process share. */
export interface LineageContext {
  readonly records: Records;
  readonly ownership: Ownership;
  readonly registry: RunRegistry;
  /** Undefined where all states are steps. */
  readonly states: StateStore | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newId: () => string;
}
