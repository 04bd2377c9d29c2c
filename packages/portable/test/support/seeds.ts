import { createRandom, type Random } from "@cm/testkit";
import found from "../seeds.json" with { type: "json" };

/** Seeds that once found a fault: they run first. */
const foundIn: Readonly<Record<string, readonly { readonly seed: number; readonly found: string }[]>> = found;

const campaign = process.env.CM_CAMPAIGN === "1";

/**
 * Runs a test for many seeds: `short` of them, or `long` in a campaign, or CM_SEED alone. A failure names its seed
 * and the line that repeats it.
 */
export async function forSeeds(
  { short, long, file }: { readonly short: number; readonly long: number; readonly file: string },
  run: (random: Random, seed: number) => void | Promise<void>,
): Promise<void> {
  for (const seed of plannedSeeds(file, campaign ? long : short)) {
    try {
      await run(createRandom(seed), seed);
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      const replay = `Repeat with: CM_SEED=${seed} pnpm exec vitest run ${file}`;
      throw new Error(`Seed ${seed}: ${said}\n${replay}`, { cause: error });
    }
  }
}

function plannedSeeds(file: string, count: number): readonly number[] {
  if (process.env.CM_SEED !== undefined) return [Number(process.env.CM_SEED)];
  const known = (foundIn[file] ?? []).map(({ seed }) => seed);
  return [...known, ...Array.from({ length: count }, (_, place) => place + 1)];
}
