// node hold-lock.ts FILE: takes the lock of a file, says so, and holds it until it is killed.
import { writeSync } from "node:fs";
import { FileSessionStorage } from "../../src/index.ts";

await new FileSessionStorage().lock(process.argv[2] ?? "");
writeSync(1, "held\n");
setInterval(() => undefined, 1 << 30);
