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
  readonly #values = new Map<string, Value>();
  /** Of those that weigh something else than 1. */
  readonly #weights = new Map<string, number>();
  #weight = 0;

  constructor({ weightMax, keptShare = 1 }: LruCacheOptions) {
    this.#weightMax = weightMax;
    this.#keptMax = keptShare * weightMax;
  }

  get(key: string): Value | undefined {
    if (!this.#values.has(key)) return undefined;
    const value = this.#values.get(key) as Value;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  set(key: string, value: Value, weight = 1): void {
    this.delete(key);
    this.#values.set(key, value);
    if (weight !== 1) this.#weights.set(key, weight);
    this.#weight += weight;
    if (this.#weight > this.#weightMax) this.#makeRoom();
  }

  delete(key: string): void {
    if (!this.#values.delete(key)) return;
    this.#weight -= this.#weights.get(key) ?? 1;
    this.#weights.delete(key);
  }

  #makeRoom(): void {
    for (const key of this.#values.keys()) {
      if (this.#weight <= this.#keptMax) return;
      this.delete(key);
    }
  }
}
