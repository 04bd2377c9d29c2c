// lock-holder.ts FOLDER count TIMES | lock-holder.ts FOLDER hold: takes the lock of a folder as another process would.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "../../launch/lock.ts";

const [folder = "", task, times] = process.argv.slice(2);
const lock = join(folder, "lock");
const file = join(folder, "count");

/** Loses counts if another process does the same at the same time. */
async function count(): Promise<void> {
  const before = Number(readFileSync(file, "utf8"));
  await new Promise((resolve) => setTimeout(resolve, 5));
  writeFileSync(file, String(before + 1));
}

if (task === "count") for (let round = 0; round < Number(times); round++) await withLock(lock, count);
else {
  await withLock(lock, () => {
    console.log("holding");
    // Until the test kills the process. The timer refers to the promise: one that cannot be settled is collected as
    // garbage, and the lock with it.
    return new Promise((resolve) => setTimeout(resolve, 3_600_000));
  });
}
