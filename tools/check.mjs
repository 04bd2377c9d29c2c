// node tools/check.mjs fast|all [ARG...]: what `npm run check` and `npm test` do, side by side where nothing waits for the
// other. What the others say comes in one piece each, and the tests speak as they go. `fast` runs all of it, whatever
// fails; `all` starts its tests, which take minutes, where nothing has failed before.
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const windows = process.platform === "win32";
const [which = "fast", ...args] = process.argv.slice(2);
let failed = false;

/** Resolves with whether it ended well. */
function run(command, args, { stdio, shell = false }) {
  const child = spawn(command, args, { cwd: root, stdio, shell });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (part) => said.push(part));
  return new Promise((resolve) => {
    child.on("error", (error) => said.push(`${command}: ${error.message}\n`));
    child.on("close", (code) => {
      if (code !== 0) failed = true;
      if (said.length > 0) process.stdout.write(Buffer.concat(said.map((part) => Buffer.from(part))));
      resolve(code === 0);
    });
  });
}

const quietly = (command, ...args) => run(command, args, { stdio: ["ignore", "pipe", "pipe"], shell: windows });
const tests = () => run(process.execPath, [join(root, "tools/run-tests.mjs"), which, ...args], { stdio: "inherit" });

const linted = quietly("biome", "check", "--error-on-warnings", ".");
if (await quietly("nx", "run-many", "-t", "build", "--outputStyle=summary")) {
  // One program for all sources and tests: each package by itself reads the same declarations again. A second checker
  // would make the types of both once more.
  const typed = quietly("tsc", "--checkers", "1");
  const prepared = which === "all" && quietly(process.execPath, join(root, "xtdb/launch/cli.ts"), "prepare");
  await Promise.all(which === "all" ? [linted, typed, prepared] : [linted]);
  if (which === "fast" || !failed) await Promise.all([typed, tests()]);
}
await linted;
process.exitCode = failed ? 1 : 0;
