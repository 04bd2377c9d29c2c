// Which projects have not passed their tests as they are now: Nx's cache knows, by hashes of all that tests depend on.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Runs targets of `nx-tested.mjs`; what Nx does not know goes into `file`, or is known from now on where there is none. */
function runTested(root, { targets, file, names }) {
  const nx = createRequire(import.meta.url).resolve("nx/bin/nx.js");
  const projects = names === undefined ? [] : [`--projects=${names.join(",")}`];
  return spawnSync(process.execPath, [nx, "run-many", "-t", ...targets, "--outputStyle=static", ...projects], {
    ...{ cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 },
    env: { ...process.env, CM_UNTESTED: file },
  });
}

/** The names of projects whose tests are to run, all of them or the fast ones; undefined where Nx could not be asked. */
export function untestedProjects(root, which = "all") {
  const folder = mkdtempSync(join(tmpdir(), "cm-untested-"));
  const file = join(folder, "names");
  try {
    const { status } = runTested(root, { targets: [which === "fast" ? "tested-fast" : "tested"], file });
    if (status !== 0 && !existsSync(file)) return undefined;
    return status === 0 ? [] : readFileSync(file, "utf8").split("\n").filter(Boolean).sort();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Keeps that the tests of projects passed. */
export function keepTested(root, names, which = "all") {
  const targets = which === "fast" ? ["tested-fast"] : ["tested", "tested-fast"];
  if (names.length > 0) runTested(root, { targets, names });
}

/** All that is in the working folder, so far as git sees it: whether an edit came while tests ran. */
export function workingState(root) {
  const git = (...args) => spawnSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 }).stdout ?? "";
  const changed = git("ls-files", "-z", "--modified", "--others", "--exclude-standard").split("\0").filter(Boolean);
  const times = changed.map((path) => [path, statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs]);
  return JSON.stringify([git("rev-parse", "HEAD"), git("diff", "--cached", "--raw"), times]);
}
