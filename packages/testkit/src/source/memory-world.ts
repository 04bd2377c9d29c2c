export interface MemoryThing {
  readonly bytes: Uint8Array;
  /** Counts every change of the world, so that no two states of it share one. */
  readonly revision: number;
}

/** Things in a map, and those who want to hear of changes. */
export class MemoryWorld {
  readonly name: string;
  #inReach = true;
  #revision = 0;
  readonly #things = new Map<string, MemoryThing>();
  readonly #listeners = new Set<(path: string) => void>();
  readonly #reachListeners = new Set<() => void>();

  constructor(name: string) {
    this.name = name;
  }

  get inReach(): boolean {
    return this.#inReach;
  }

  thingAt(path: string): MemoryThing | undefined {
    return this.#things.get(path);
  }

  put(path: string, bytes: Uint8Array): void {
    this.#revision += 1;
    this.#things.set(path, { bytes: Uint8Array.from(bytes), revision: this.#revision });
    this.#tell(path);
  }

  remove(path: string): void {
    if (!this.#things.delete(path)) throw new Error("There is nothing to remove under this name.");
    this.#tell(path);
  }

  /** Listeners are lost with the world, as watchers are: they hear nothing until they listen again. */
  setReach(inReach: boolean): void {
    this.#inReach = inReach;
    if (inReach) return;
    this.#listeners.clear();
    for (const lost of this.#reachListeners) lost();
  }

  /** Gives back what ends the listening. */
  listen(onChange: (path: string) => void, onLoss: () => void): () => void {
    this.#listeners.add(onChange);
    this.#reachListeners.add(onLoss);
    return () => {
      this.#listeners.delete(onChange);
      this.#reachListeners.delete(onLoss);
    };
  }

  #tell(path: string): void {
    for (const listener of this.#listeners) listener(path);
  }
}
