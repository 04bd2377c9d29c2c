export interface LruCacheOptions {
  /** Weight of all entries together. */
  readonly weightMax: number;
  /**
   * The part that is kept when room is made, from 0 to 1. Default: 1, only what is too much goes. Less makes room seldom:
   * each time the map walks over the places of those that went before.
   */
  readonly keptShare?: number;
}

/** A map of bounded weight, from which what was used longest ago goes first. */
export class LruCache<Value> {
  readonly #weightMax: number;
  readonly #keptMax: number;
  /** Least recently used first. */
  readonly #entries = new Map<string, { readonly value: Value; readonly weight: number }>();
  #weight = 0;

  constructor({ weightMax, keptShare = 1 }: LruCacheOptions) {
    this.#weightMax = weightMax;
    this.#keptMax = keptShare * weightMax;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: Value, weight = 1): void {
    this.delete(key);
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    if (this.#weight > this.#weightMax) this.#makeRoom();
  }

  delete(key: string): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0;
    this.#entries.delete(key);
  }

  #makeRoom(): void {
    for (const key of this.#entries.keys()) {
      if (this.#weight <= this.#keptMax) return;
      this.delete(key);
    }
  }
}
