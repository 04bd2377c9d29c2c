// A process of its own, for other Nodes than the one that runs the tests: node suite-process.ts SEED. It runs the suite of
// object-store/1 on files and a comparison with the memory store; what differs goes to stderr.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compareWithMemory, objectStoreSuite, type StoreFactory } from "@cm/testkit";
import { openSqliteStore } from "../../src/index.ts";

const folder = mkdtempSync(join(tmpdir(), "cm-suite-process-"));
let files = 0;
const open: StoreFactory = async (setting) => {
  files += 1;
  return openSqliteStore({ ...setting, path: join(folder, `${files}.db`), synchronous: "normal" });
};
const calls = 300;
const runs = process.env.CM_CAMPAIGN === "1" ? 3 : 1;

let passed = 0;
for (const { id, title, run } of objectStoreSuite.cases) {
  try {
    await run(open);
    passed += 1;
  } catch (error) {
    console.error(`${id} ${title}: ${error}`);
  }
}
for (let run = 0; run < runs; run += 1) await compareWithMemory({ open, seed: Number(process.argv[2]) + run, calls });
rmSync(folder, { recursive: true });
console.log(JSON.stringify({ node: process.versions.node, passed, of: objectStoreSuite.cases.length }));
