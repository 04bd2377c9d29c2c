/** A seeded stream of choices: the same seed gives the same ones on every machine. */
export interface Random {
  /** A whole number from 0 to below `bound`. */
  below(bound: number): number;
  /** From 0 to below 1. */
  fraction(): number;
  chance(probability: number): boolean;
  pick<T>(choices: readonly T[]): T;
  /** As many values as a number below `bound` says. */
  some<T>(bound: number, make: () => T): readonly T[];
  /** The same values in an order of its own. */
  shuffled<T>(values: Iterable<T>): T[];
}

/** The generator `mulberry32`: 32 bits of state, which is plenty for tests and fast enough for millions of them. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const fraction = (): number => next() / 2 ** 32;
  const below = (bound: number): number => Math.floor(fraction() * bound);
  return {
    below,
    fraction,
    chance: (probability) => fraction() < probability,
    pick: (choices) => {
      if (choices.length === 0) throw new RangeError("There is nothing to pick from.");
      // `undefined` may be one of the choices.
      return choices[below(choices.length)] as (typeof choices)[number];
    },
    some: (bound, make) => Array.from({ length: below(bound) }, make),
    shuffled: (values) =>
      [...values]
        .map((value) => ({ value, rank: fraction() }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ value }) => value),
  };
}
