import { prepareOrSay } from "../launch/prepare-or-say.ts";

/** A `globalSetup` for vitest: tests of one package alone find a node prepared, as `npm test` does. */
export async function setup(): Promise<void> {
  await prepareOrSay((line) => console.error(line));
}
