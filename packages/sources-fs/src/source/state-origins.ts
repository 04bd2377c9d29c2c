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
 * What is remembered of a state, by the state's object, so that a sweep over files that this source has seen sends two numbers for each. A state from
 * elsewhere, a file for instance, is read by its hint. Nothing is kept longer than the caller keeps the state: it hangs on
 * the state itself, out of sight of who copies or compares it. A weak map of as many states as come and go between two
 * collections takes half a megabyte, and gives none of it back.
 */
export class StateOrigins {
  /** Of this source alone. */
  readonly #remembered = Symbol("remembered");

  remember(state: KnownState, facts: Omit<Remembered, "unchanged">): Observation {
    // This object is returned many times, so it is frozen.
    const unchanged: Observation = Object.freeze({ kind: "unchanged", state });
    const remembered: Remembered = { ...facts, unchanged };
    Object.freeze(Object.defineProperty(state, this.#remembered, { value: remembered }));
    return unchanged;
  }

  /** The remembered data of this state of this file in a running thread. */
  find(state: KnownState, { path, filesystemId }: FilesystemBinding): Remembered | undefined {
    const found = (state as { readonly [key: symbol]: Remembered | undefined })[this.#remembered];
    if (found === undefined || found.started !== found.thread.startedNow()) return undefined;
    return found.binding.path === path && found.binding.filesystemId === filesystemId ? found : undefined;
  }
}
