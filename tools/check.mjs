// node tools/check.mjs [ARG...]: what `npm run check` does, side by side where nothing waits for the other. All of it runs,
// whatever fails; what the others say comes in one piece each, and the tests speak as they go.
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const windows = process.platform === "win32";
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
const nx = (target) => quietly("nx", "run-many", "-t", target, "--outputStyle=summary");
const linted = [quietly("biome", "check", "--error-on-warnings", "."), quietly("tsc", "-p", "tools/tsconfig.json")];

if (await nx("build")) {
  const typed = nx("typecheck");
  await Promise.all(linted);
  await Promise.all([
    typed,
    run(process.execPath, [join(root, "tools/run-tests.mjs"), "fast", ...process.argv.slice(2)], {
      stdio: "inherit",
    }),
  ]);
}
await Promise.all(linted);
process.exitCode = failed ? 1 : 0;
