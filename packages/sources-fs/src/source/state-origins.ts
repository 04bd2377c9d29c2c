import type { FilesystemBinding, KnownState, Observation } from "@cm/object-model";
import type { FileThread } from "../indexing/file-thread.ts";
import type { Slot } from "../sweep/file-facts-cache.ts";

/** A state that this source gave out, and where the reading thread has its facts. */
export interface Remembered extends Slot {
  readonly thread: FileThread;
  /** Which start of the thread: the next one knows nothing of it. */
  readonly started: number;
  readonly binding: FilesystemBinding;
  /** The answer as long as nothing changes. */
  readonly unchanged: Observation;
}

/**
 * States by their object, so that a sweep over files that this source has seen sends two numbers for each. A state from
 * elsewhere, a file for instance, is read by its hint. Nothing is kept longer than the caller keeps the state.
 */
export class StateOrigins {
  readonly #states = new WeakMap<KnownState, Remembered>();

  remember(state: KnownState, facts: Omit<Remembered, "unchanged">): Observation {
    // This object is returned many times, so it is frozen.
    const unchanged: Observation = Object.freeze({ kind: "unchanged", state: Object.freeze(state) });
    this.#states.set(state, { ...facts, unchanged });
    return unchanged;
  }

  /** The remembered data of this state of this file in a running thread. */
  find(state: KnownState, { path, filesystemId }: FilesystemBinding): Remembered | undefined {
    const found = this.#states.get(state);
    if (found === undefined || found.started !== found.thread.startedNow()) return undefined;
    return found.binding.path === path && found.binding.filesystemId === filesystemId ? found : undefined;
  }
}
