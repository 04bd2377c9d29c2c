/** How much is left when room is made: one at a time would look at every place that was emptied before it. */
const keptShare = 0.9;

/** A map of bounded weight, which forgets what was not used for longest. */
export class Recent<Value> {
  readonly #weightMax: number;
  /** Least recently used first. */
  readonly #entries = new Map<string, { readonly value: Value; readonly weight: number }>();
  #weight = 0;

  constructor(weightMax: number) {
    this.#weightMax = weightMax;
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
      if (this.#weight <= keptShare * this.#weightMax) return;
      this.delete(key);
    }
  }
}
