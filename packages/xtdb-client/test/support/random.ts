export { createRandom, hostileTexts, type Random, randomText, reservedNames } from "@cm/testkit";

/** Random inputs of one test: about a second, and a hundred thousand in a campaign. */
export const manyRuns = process.env.CM_CAMPAIGN === "1" ? 100_000 : 10_000;

/** The seed of this run: `CM_SEED`, or the time, and the line that repeats it. */
export function runSeed(title: string): { readonly seed: number; readonly replay: string } {
  const seed = process.env.CM_SEED === undefined ? Date.now() % 1_000_000_007 : Number(process.env.CM_SEED);
  return { seed, replay: `CM_SEED=${seed} pnpm exec vitest run --project @cm/xtdb-client -t "${title}"` };
}

/** Runs `check` for each number below `count`; a failure says which it was and how to repeat it. */
export function repeated(title: string, count: number, check: (seed: number, run: number) => void): void {
  const { seed, replay } = runSeed(title);
  for (let run = 0; run < count; run += 1) {
    try {
      check(seed, run);
    } catch (error) {
      console.error(`run ${run} fails; repeat with: ${replay}`);
      throw error;
    }
  }
}
