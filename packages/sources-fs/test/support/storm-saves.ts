import { setTimeout as pause } from "node:timers/promises";
import { editors } from "./storm-editors.ts";
import { stormPath } from "./storm-operations.ts";

// A second process that saves like four kinds of editors. Arguments: folder, saves, files.
// It prints the numbers of the files whose save took so long that they were really gone for two looks.
const [root = "", saves = "0", files = "1"] = process.argv.slice(2);
const styles = Object.values(editors);
const slow = new Set<number>();
for (let n = 0; n < Number(saves); n += 1) {
  const file = Math.floor(n / styles.length) % Number(files);
  const began = performance.now();
  styles[n % styles.length]?.(stormPath(root, file), `save ${n}`);
  if (performance.now() - began > 90) slow.add(file);
  await pause(4);
}
console.log(JSON.stringify([...slow]));
