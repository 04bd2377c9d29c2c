import { setTimeout as pause } from "node:timers/promises";
import { createRandom } from "@cm/testkit";
import { drawnOperation, operate, stormPath } from "./storm-operations.ts";

// The second process of a storm. Arguments: folder, seed, operations, files, milliseconds between bursts.
// It prints the numbers of the files that were gone for longer than between two steps of one operation.
const [root = "", seed = "1", operations = "0", files = "1", gapMs = "0"] = process.argv.slice(2);
const random = createRandom(Number(seed));
const gone = new Set<number>();
for (let n = 0; n < Number(operations); n += 1) {
  const file = random.below(Number(files));
  const operation = drawnOperation(random);
  const text = `${String(n).padStart(8, "0")}${random.chance(0.5) ? "" : "x".repeat(random.below(200))}`;
  const began = performance.now();
  operate(operation, stormPath(root, file), text);
  // A re-creation takes a tenth of a millisecond, unless this process was stopped in the middle of it.
  if (operation === "delete" || performance.now() - began > 50) gone.add(file);
  if (Number(gapMs) > 0 && random.chance(0.05)) await pause(random.below(Number(gapMs)));
}
console.log(JSON.stringify([...gone]));
