import type { KnownState } from "./contract.ts";

/**
 * "state-cache/1": what one client knew of its files when it last looked (a stat, an ETag), kept from one process to
 * the next so that resuming need not read what did not change (SSOT 5.6). It is the client's own and stays on its
 * machine: never an object, never in a bundle. A lost or stale entry costs a look, never a wrong answer, so every
 * failure may be answered with nothing.
 */
export interface StateCache {
  readonly contract: "state-cache/1";
  /** The cached states of these objects; ids without an entry are left out. */
  load(ids: readonly string[]): Promise<ReadonlyMap<string, KnownState>>;
  /** Replaces the entries of these objects. */
  save(states: ReadonlyMap<string, KnownState>): Promise<void>;
  close?(): Promise<void>;
}
