// node tools/tested.mjs PROJECT: what Nx runs when it does not know a project's tests to have passed. It fails, which Nx
// does not keep, and leaves the name in the file of CM_UNTESTED; without that file the tests have just passed.
import { appendFileSync } from "node:fs";

const file = process.env.CM_UNTESTED;
if (file !== undefined) {
  appendFileSync(file, `${process.argv[2]}\n`);
  process.exitCode = 1;
}
