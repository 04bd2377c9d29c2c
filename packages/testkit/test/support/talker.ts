// A process that says lines: node talker.ts COUNT END. It ends by itself, fails, or waits until it is killed.
import { writeSync } from "node:fs";

const [count = "0", end = ""] = process.argv.slice(2);
for (let n = 0; n < Number(count); n += 1) writeSync(1, `${n}\n`);
writeSync(1, "not a whole line");
if (end === "fails") throw new Error("as it was told");
if (end === "waits") setInterval(() => {}, 1_000);
