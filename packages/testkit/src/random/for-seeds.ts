import { createRandom, type Random } from "./random.ts";
import type { FoundSeed } from "./seeds.ts";

export interface SeedRuns {
  /** Seeds of the short form, and of a campaign (`CM_CAMPAIGN=1`). */
  readonly short: number;
  readonly long: number;
  /** The test's file, as the runner takes it. Default: none, for a law that other projects run by a command of their own. */
  readonly file?: string;
  /** Seeds that once found a fault: they run first. */
  readonly found?: readonly FoundSeed[];
}

/**
 * Runs a test for many seeds, or for `CM_SEED` alone. A failure names its seed and the line that repeats it.
 * @throws what the test throws, as the cause of what says so
 */
export async function forSeeds(
  { short, long, file, found = [] }: SeedRuns,
  run: (random: Random, seed: number) => void | Promise<void>,
): Promise<void> {
  const { CM_CAMPAIGN, CM_SEED } = process.env;
  const count = CM_CAMPAIGN === "1" ? long : short;
  const planned = [...found.map(({ seed }) => seed), ...Array.from({ length: count }, (_, place) => place + 1)];
  for (const seed of CM_SEED === undefined ? planned : [Number(CM_SEED)]) {
    try {
      await run(createRandom(seed), seed);
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      throw new Error(`Seed ${seed}: ${said}\n${repeatLine(seed, file)}`, { cause: error });
    }
  }
}

/** How a run with this seed is repeated. @param file the test's, where the project that runs it is known */
export const repeatLine = (seed: number, file?: string): string =>
  file === undefined
    ? `Repeat with: CM_SEED=${seed} in the environment of the command that ran this test`
    : `Repeat with: CM_SEED=${seed} pnpm exec vitest run ${file}`;
