import { createRandom, plannedSeeds, type Random } from "@cm/testkit";

/** Runs a check for every planned seed; a failure says which one, and how to repeat it. */
export async function forEachSeed(
  title: string,
  runs: number,
  check: (random: Random) => Promise<void> | void,
): Promise<void> {
  for (const seed of plannedSeeds({ runs })) {
    try {
      await check(createRandom(seed));
    } catch (error) {
      const replay = `CM_SEED=${seed} pnpm exec vitest run --project @cm/sources-git -t "${title}"`;
      throw new Error(`Seed ${seed} failed. Repeat it with: ${replay}`, { cause: error });
    }
  }
}
