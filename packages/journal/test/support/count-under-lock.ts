// node count-under-lock.ts FILE TIMES: adds one to the number in a file, under the file's lock.
import { readFileSync, writeFileSync } from "node:fs";
import { FileSessionStorage } from "../../src/index.ts";

const [path = "", times = "0"] = process.argv.slice(2);
const storage = new FileSessionStorage();
for (let count = 0; count < Number(times); count += 1) {
  const release = await storage.lock(path);
  writeFileSync(path, String(Number(readFileSync(path, "utf8")) + 1));
  release();
}
