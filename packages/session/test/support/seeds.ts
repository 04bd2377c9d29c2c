import { type FoundSeed, forSeeds as run, type SeedRuns } from "@cm/testkit";
import found from "../seeds.json" with { type: "json" };

const foundIn: Readonly<Record<string, readonly FoundSeed[]>> = found;

/** Runs a test for many seeds; those that once found a fault in it run first. */
export function forSeeds(
  runs: Omit<SeedRuns, "found"> & { readonly file: string },
  test: Parameters<typeof run>[1],
): Promise<void> {
  return run({ ...runs, found: foundIn[runs.file] ?? [] }, test);
}
