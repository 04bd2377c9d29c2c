import { fileLimits as limits } from "../limits.ts";
import type { StatFacts } from "./stat-facts.ts";

export interface CachedFileFacts {
  readonly path: string;
  readonly facts: StatFacts;
  readonly sourceHash: string;
}

/** A place in `FileFactsCache`, and how often it was written: two numbers stand for a path and its facts. */
export interface Slot {
  readonly slot: number;
  readonly generation: number;
}

/**
 * The files of the reading thread with their facts, so that a sweep sends numbers instead of paths. Newer facts of a
 * path take its slot over, and who still has the older generation brings path and hint along.
 */
export class FileFactsCache {
  readonly #files: CachedFileFacts[] = [];
  readonly #generations: number[] = [];
  readonly #byPath = new Map<string, number>();

  /** Undefined when there is no room for another path. */
  put(file: CachedFileFacts): Slot | undefined {
    const slot = this.#byPath.get(file.path) ?? this.#files.length;
    if (slot >= limits.knownFilesMax) return undefined;
    this.#byPath.set(file.path, slot);
    this.#files[slot] = file;
    const generation = (this.#generations[slot] ?? 0) + 1;
    this.#generations[slot] = generation;
    return { slot, generation };
  }

  get(slot: number, generation: number): CachedFileFacts | undefined {
    return this.#generations[slot] === generation ? this.#files[slot] : undefined;
  }
}
