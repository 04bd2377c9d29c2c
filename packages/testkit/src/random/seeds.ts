/** A seed that once found a fault, and which. */
export interface FoundSeed {
  readonly seed: number;
  readonly found: string;
}

interface SeedPlan {
  /** Runs of the short form; a campaign does ten times as many. */
  readonly runs: number;
  readonly found?: readonly FoundSeed[];
}

/**
 * The seeds to run: first those that found something, then `runs` others in a row. `CM_SEED` sets the first of them and
 * leaves the found ones out, `CM_RUNS` multiplies them, `CM_CAMPAIGN=1` starts at a random place.
 */
export function plannedSeeds({ runs, found = [] }: SeedPlan, env: NodeJS.ProcessEnv = process.env): readonly number[] {
  const campaign = env.CM_CAMPAIGN === "1";
  const count = runs * (campaign ? 10 : 1) * Number(env.CM_RUNS ?? 1);
  const first = env.CM_SEED === undefined ? (campaign ? Date.now() % 2 ** 31 : 1) : Number(env.CM_SEED);
  const others = Array.from({ length: count }, (_, n) => first + n);
  return env.CM_SEED === undefined ? [...found.map(({ seed }) => seed), ...others] : others;
}
