import { createInterface } from "node:readline/promises";
import { limits } from "../limits.ts";
import type { World } from "../world.ts";

/** Asks on the terminal. Only a clear yes is one; a closed input is a no. */
export async function askYesNo({ stdin, stderr }: World, question: string): Promise<boolean> {
  const lines = createInterface({ input: stdin, output: stderr, terminal: false });
  try {
    stderr.write(`${question} [y/N] `);
    const { value } = await lines[Symbol.asyncIterator]().next();
    return /^y(es)?$/i.test((value ?? "").slice(0, limits.answerCharsMax).trim());
  } finally {
    lines.close();
  }
}
