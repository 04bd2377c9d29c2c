export { createRandom, type Random } from "@cm/testkit";

/** CM_CAMPAIGN=1 asks for the long form, from a random seed. */
export const campaign = process.env.CM_CAMPAIGN === "1";
export const runsOf = (short: number, long: number): number => (campaign ? long : short);

/** The seed of this run, and the line that repeats it. */
export function runSeed(title: string): { readonly seed: number; readonly replay: string } {
  const given = process.env.CM_SEED;
  const seed = given !== undefined ? Number(given) : campaign ? Date.now() % 1_000_000_007 : 1;
  return { seed, replay: `CM_SEED=${seed} pnpm exec vitest run packages/render -t "${title}"` };
}
