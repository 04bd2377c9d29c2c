#!/usr/bin/env node
// The one door into the workspace: `npm start`, `npm test` and the other root scripts come through here.
//
//   node tools/bootstrap.mjs                  sets up and stops
//   node tools/bootstrap.mjs SCRIPT [ARG...]  sets up, then runs `pnpm run SCRIPT ARG...`
//
// It asks for Node 20, npm and, the first time, the network. It writes only below this folder, apart from the caches
// of npm and pnpm. Everything it has to say goes to stderr, since a script's stdout may be read by a program.
import { spawn } from "node:child_process";
import { delimiter } from "node:path";
import { installDependencies } from "./setup/dependencies.mjs";
import { fail } from "./setup/failure.mjs";
import { root } from "./setup/pinned.mjs";
import { installToolchain } from "./setup/toolchain.mjs";

const oldestNode = 20;

/** The environment in which the pinned programs come first and Nx neither phones home nor leaves a daemon behind. */
function environment(folders) {
  const env = {
    ...process.env,
    NX_DAEMON: "false",
    NX_NO_CLOUD: "true",
    NX_TUI: "false",
    NX_ISOLATE_PLUGINS: "false",
    // npm starts scripts in the root; paths that the user types are meant from where the user stands.
    CM_CALLER_FOLDER: process.env.INIT_CWD ?? process.cwd(),
  };
  // Windows spells it `Path`; a second variable in another spelling would be ignored there.
  const name = Object.keys(env).find((key) => key.toUpperCase() === "PATH") ?? "PATH";
  env[name] = [...folders, env[name]].join(delimiter);
  return env;
}

/** Runs the script and ends as it ended. */
function runScript(pnpm, [script, ...args], env) {
  const child = spawn(pnpm, ["run", "--silent", script, ...args], { cwd: root, stdio: "inherit", env });
  // A terminal sends Ctrl-C to the whole group, the script included: stay until it has cleaned up. A `kill` reaches
  // only this process and has to be handed on.
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  // A killed npm passes no signal on; only its shell dies with it. A program started by it, such as the server of `npm
  // run xtdb`, would otherwise run for ever.
  const parent = process.ppid;
  const orphaned = () => process.ppid !== parent && child.kill("SIGTERM");
  if (process.env.npm_lifecycle_event !== undefined) setInterval(orphaned, 1000).unref();
  child.on("error", (error) => fail(`${pnpm} could not be started: ${error.message}`));
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? (signal === "SIGINT" ? 130 : 143);
  });
}

if (Number.parseInt(process.versions.node, 10) < oldestNode) {
  fail(`Node ${oldestNode} or newer is needed to set this up; this one is ${process.versions.node}.`);
}
const { pnpm, folders } = installToolchain();
const env = environment(folders);
installDependencies(pnpm, env);
const script = process.argv.slice(2);
if (script.length > 0) runScript(pnpm, script, env);
