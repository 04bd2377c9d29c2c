import { type CmError, isCmError, type ObjectStore } from "@cm/object-model";
import { expect } from "vitest";
import {
  createMemoryStateStore,
  type Lineage,
  type LineageErrorCode,
  type LineageOptions,
  openLineage,
  type RunEnd,
  type StateStore,
} from "../../src/index.ts";

/** A store that several processes share, their clock, and lineages that are opened on it. */
export class World {
  readonly store: ObjectStore;
  readonly states: StateStore = createMemoryStateStore();
  nowMs = Date.UTC(2026, 0, 1);
  #ids = 0;

  constructor(store: ObjectStore) {
    this.store = store;
  }

  /** Another process on the same store. */
  open(options: Partial<LineageOptions> = {}): Promise<Lineage> {
    return openLineage({
      store: this.store,
      states: this.states,
      now: () => this.nowMs,
      newId: () => `id-${String(++this.#ids).padStart(4, "0")}`,
      leaseMs: 30_000,
      ...options,
    });
  }
}

/** The usual end of a run. */
export const committed = (fields: Partial<RunEnd> = {}): RunEnd => ({
  status: "committed",
  state: { context_state: { agents: [] }, message_history: [{ role: "user" }], environment_state: null },
  output: "done",
  ...fields,
});

/** The operation must fail with this code; gives the error back. */
export async function refused(operation: Promise<unknown> | (() => unknown), code: LineageErrorCode): Promise<CmError> {
  try {
    await (typeof operation === "function" ? operation() : operation);
  } catch (error) {
    if (isCmError(error, code)) return error;
    throw error;
  }
  expect.fail(`The operation was accepted; expected ${code}.`);
}
