// Verifies: decision 0094: the index of a prompt's names holds none of its texts.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { namesInView } from "../../../src/policies/names/names-in-view.ts";
import { Script } from "../../support/script.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const textChars = 90_000;
const sessions = 100;

it("A name that was found in a text does not keep the text in memory.", async () => {
  const before = await heapBytes();

  const found = Array.from({ length: sessions }, (_, number) => namesOf(`found_in_text_number_${number}`));
  const held = (await heapBytes()) - before;

  expect(found.every((names, number) => names.has(`found_in_text_number_${number}`))).toBe(true);
  expect(held).toBeLessThan((sessions * textChars) / 3);
});

/** Of a session that is no longer referenced. */
function namesOf(name: string) {
  const script = new Script();
  script.read("a.ts", Buffer.from(`${name} ${"so ".repeat(textChars / 3)}`).toString("latin1"));
  return namesInView(script.session.view());
}

async function heapBytes(): Promise<number> {
  // What a weak reference led to in the running task outlives a collection within it.
  await new Promise(setImmediate);
  collect();
  return process.memoryUsage().heapUsed;
}
