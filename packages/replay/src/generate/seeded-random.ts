/** Numbers from 0 to below 1, the same for the same seed on every machine (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Draws from one stream of such numbers. */
export class Draw {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = seededRandom(seed);
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.#next() < probability;
  }

  /** A whole number from `from` to `to`, both included. */
  number(from: number, to: number): number {
    return from + Math.floor(this.#next() * (to - from + 1));
  }

  /** @throws RangeError for an empty list */
  of<T>(values: readonly T[]): T {
    const value = values[this.number(0, values.length - 1)];
    if (value === undefined) throw new RangeError("Nothing to draw from.");
    return value;
  }
}
