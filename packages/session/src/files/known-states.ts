import type { KnownState, StateCache } from "@cm/object-model";
import { limits } from "../limits.ts";
import type { FileIndex } from "./file-index.ts";
import { knownStateOf } from "./known-files.ts";
import { answerInTime } from "./scan.ts";

/** What this client knows of its files, kept for its next process. A cache: whatever it does, the session goes on. */
export class KnownStates {
  readonly #cache: StateCache | undefined;
  readonly #saved = new Map<string, KnownState>();
  #saving: Promise<unknown> = Promise.resolve();

  constructor(cache: StateCache | undefined) {
    this.#cache = cache;
  }

  async load(ids: readonly string[]): Promise<ReadonlyMap<string, KnownState>> {
    const cache = this.#cache;
    if (cache === undefined || ids.length === 0) return new Map();
    const loaded = await answerInTime(async () => new Map(await cache.load(ids)), limits.stateCacheMs);
    for (const [id, state] of loaded ?? []) this.#saved.set(id, state);
    return loaded ?? new Map<string, KnownState>();
  }

  /** Saves what changed since the last time, after what is being saved already. */
  save(files: FileIndex, ids: Iterable<string>): Promise<void> {
    const cache = this.#cache;
    if (cache === undefined) return Promise.resolve();
    const states = new Map<string, KnownState>();
    for (const id of ids) {
      const known = files.known(id);
      const state = known === undefined ? undefined : knownStateOf(known);
      // Without a hint it says no more than the stored version does.
      if (state === undefined || (state.hint === undefined && state.absent !== true)) continue;
      if (!isSame(state, this.#saved.get(id))) states.set(id, state);
    }
    const saved = this.#saving.then(async () => {
      if (states.size === 0) return;
      const isSaved = await answerInTime(async () => {
        await cache.save(states);
        return true;
      }, limits.stateCacheMs);
      if (isSaved === true) for (const [id, state] of states) this.#saved.set(id, state);
    });
    this.#saving = saved;
    return saved;
  }
}

function isSame(a: KnownState, b: KnownState | undefined): boolean {
  return a.hint === b?.hint && a.sourceHash === b?.sourceHash && a.absent === b?.absent;
}
