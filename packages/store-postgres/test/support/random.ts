export { createRandom, type Random } from "@cm/testkit";

/** The seed of this run: `CM_SEED`, or the time, and the line that repeats it. */
export function runSeed(title: string): { readonly seed: number; readonly replay: string } {
  const seed = process.env.CM_SEED === undefined ? Date.now() % 1_000_000_007 : Number(process.env.CM_SEED);
  return { seed, replay: `CM_SEED=${seed} pnpm exec vitest run packages/store-postgres -t "${title}"` };
}

/** CM_CAMPAIGN=1 asks for the long form. */
export const campaign = process.env.CM_CAMPAIGN === "1";
