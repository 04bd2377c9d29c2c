/** A seeded stream of choices. The testkit has a richer one; it depends on this package, so it cannot serve here. */
export interface Random {
  below(bound: number): number;
  pick<T>(choices: readonly T[]): T;
  some<T>(bound: number, make: () => T): T[];
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const below = (bound: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  };
  return {
    below,
    pick: (choices) => {
      const choice = choices[below(choices.length)];
      if (choice === undefined) throw new RangeError("There is nothing to pick from.");
      return choice;
    },
    some: (bound, make) => Array.from({ length: below(bound) }, make),
  };
}

/** `CM_SEED` sets the first seed, `CM_RUNS` multiplies, a campaign runs the long form from a random place. */
export function runsOf(short: number, long = 10 * short): { readonly seed: number; readonly runs: number } {
  const campaign = process.env.CM_CAMPAIGN === "1";
  const seed = Number(process.env.CM_SEED ?? (campaign ? Date.now() % 2 ** 31 : 1));
  return { seed, runs: (campaign ? long : short) * Number(process.env.CM_RUNS ?? 1) };
}

/** Runs a property; a failure says how to repeat it. */
export function forSeeds(short: number, holds: (random: Random, n: number) => void): void {
  const { seed, runs } = runsOf(short);
  for (let n = 0; n < runs; n += 1) {
    try {
      holds(createRandom(seed + n), n);
    } catch (error) {
      throw new Error(`Seed ${seed + n}. Repeat with: CM_SEED=${seed + n} npx vitest run --project @cm/object-model`, {
        cause: error,
      });
    }
  }
}
