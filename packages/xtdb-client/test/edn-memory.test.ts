// Verifies: what is kept of an answer does not keep the answer in memory.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { readEdn } from "../src/index.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const answerChars = 90_000;
const answers = 100;

it("A string of an answer does not keep the rest of it.", async () => {
  const before = await heapBytes();

  const ids = Array.from({ length: answers }, (_, number) => idOf(number));
  const held = (await heapBytes()) - before;

  expect(ids).toContain("the-id-of-a-document-99");
  expect(held).toBeLessThan((answers * answerChars) / 3);
});

/** Of an answer that is no longer referenced. */
function idOf(number: number): unknown {
  const text = Buffer.from(`["the-id-of-a-document-${number}" "${"so ".repeat(answerChars / 3)}"]`).toString("latin1");
  const [id] = readEdn(text) as readonly unknown[];
  return id;
}

async function heapBytes(): Promise<number> {
  // What a weak reference led to in the running task outlives a collection within it.
  await new Promise(setImmediate);
  collect();
  return process.memoryUsage().heapUsed;
}
