import type { KnownState, StateCache } from "@cm/object-model";

/** A state cache that is a map, with a list of what it was asked. */
export class MemoryStateCache implements StateCache {
  readonly contract = "state-cache/1";
  readonly states = new Map<string, KnownState>();
  readonly saves: number[] = [];

  async load(ids: readonly string[]): Promise<ReadonlyMap<string, KnownState>> {
    return new Map(
      ids.flatMap((id) => {
        const state = this.states.get(id);
        return state === undefined ? [] : [[id, state]];
      }),
    );
  }

  async save(states: ReadonlyMap<string, KnownState>): Promise<void> {
    this.saves.push(states.size);
    for (const [id, state] of states) this.states.set(id, state);
  }
}
