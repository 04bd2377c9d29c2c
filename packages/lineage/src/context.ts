import type { Ownership } from "./ownership/ownership.ts";
import type { RunRegistry } from "./ownership/registry.ts";
import type { Records } from "./records/records.ts";
import type { OneAtATime } from "./runs/one-at-a-time.ts";
import type { EndOfOrphan } from "./runs/run-end.ts";
import type { StateStore } from "./state/contract.ts";

/** What is enough to look. */
export interface ReadingContext {
  readonly records: Records;
  /** Undefined where all states are steps. */
  readonly states: StateStore | undefined;
}

/** What all operations of one process share. */
export interface LineageContext extends ReadingContext {
  readonly ownership: Ownership;
  readonly registry: RunRegistry;
  /** Ends of one run: an interrupt may meet the end that was on its way. */
  readonly ends: OneAtATime;
  readonly endOfOrphan: EndOfOrphan | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newId: () => string;
}
