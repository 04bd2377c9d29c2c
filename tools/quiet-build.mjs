// node tools/quiet-build.mjs PROJECT: builds a project and what it depends on, and speaks only when that fails or
// takes time, so that a program's own output is what its user sees.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";

const project = process.argv[2] ?? "";
const nx = createRequire(import.meta.url).resolve("nx/bin/nx.js");
const args = ["run-many", "-t", "build", "-p", project, "--outputStyle=static"];

if (process.stderr.isTTY) process.stderr.write("Building what has changed ...\r");
const { status, stdout, stderr } = spawnSync(process.execPath, [nx, ...args], { encoding: "utf8", maxBuffer: 2 ** 26 });
if (process.stderr.isTTY) process.stderr.write("\x1b[2K");
if (status !== 0) process.stderr.write(`${stdout}${stderr}`);
process.exitCode = status ?? 1;
