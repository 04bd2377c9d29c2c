// node tools/run-tests.mjs all|fast|campaign|affected|dev [ARG...]: Vitest, in one of its forms.
// A variable in front of a command means nothing to every shell, so it is set here.
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { partOf } from "./campaign-parts.ts";
import { keepTested, untestedProjects, workingState } from "./untested-projects.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const projects = { xtdb: "@cm/xtdb-node", tools: "tools" };
for (const folder of ["packages", "apps"]) {
  for (const name of readdirSync(join(root, folder))) projects[name] = `@cm/${name}`;
}

/** A package is named as its folder is, with or without what stands before it. */
function projectOf(name = "") {
  const project = projects[basename(name)];
  if (project !== undefined) return project;
  console.error(`npm run dev -- PACKAGE watches one of: ${Object.keys(projects).sort().join(", ")}.`);
  process.exit(1);
}

function todaysPart() {
  const { adds, files, titles } = partOf(new Date());
  console.log(`Today's part of the campaign: ${adds} (${files.join(", ")}).`);
  return titles === undefined ? files : [...files, "--testNamePattern", titles];
}

/**
 * `npm test` or `npm run check` alone, on a machine of ours: the projects whose tests have not passed as all is now. Undefined
 * in CI or where something is asked for by name: all is run. `args` is undefined where none is left to run.
 */
function projectsThatChanged(args, which) {
  if (args.length > 0 || process.env.CI !== undefined) return undefined;
  const names = untestedProjects(root, which);
  if (names === undefined) return undefined;
  const again = which === "fast" ? "npm run check -- ." : "npm test -- .";
  if (names.length === 0) {
    console.log(
      `Nothing has changed since all ${which === "fast" ? "fast " : ""}tests passed. \`${again}\` runs them again.`,
    );
    return { names };
  }
  const known = Object.values(projects).filter((name) => !names.includes(name));
  if (known.length > 0) {
    console.log(`Nothing has changed for ${known.sort().join(", ")} since their tests passed. \`${again}\` runs all.`);
  }
  // A project may have no file without a tag.
  const some = ["--passWithNoTests", ...names.flatMap((name) => ["--project", name])];
  return { names, args: known.length === 0 ? [] : some };
}

/** What passes is not run again until something of it changes, unless an edit came while it ran. */
function whatChanged(args, which) {
  const before = workingState(root);
  const changed = projectsThatChanged(args, which);
  const env = which === "fast" ? { CM_TESTS: "fast" } : {};
  const workers = which === "fast" ? ["--maxWorkers=100%"] : [];
  if (changed === undefined) return { args: ["run", ...workers, ...args], env };
  if (changed.args === undefined) return {};
  return {
    args: ["run", ...workers, ...changed.args],
    env,
    passed: () => workingState(root) === before && keepTested(root, changed.names, which),
  };
}

const forms = {
  all: (args) => whatChanged(args, "all"),
  /** The files without a tag: nothing is started for them. */
  fast: (args) => whatChanged(args, "fast"),
  /** The same suites, more runs; with `--turn` the part of them that CI runs today. */
  campaign: ([first, ...args]) => ({
    args: ["run", ...(first === "--turn" ? todaysPart() : first === undefined ? [] : [first]), ...args],
    env: { CM_CAMPAIGN: "1" },
  }),
  /** The fast files that lead to a file which differs from a commit, through the sources of other packages. */
  affected: ([since = "main", ...args]) => ({
    args: ["run", "--changed", since, "--passWithNoTests", ...args],
    env: { CM_TESTS: "fast", CM_SOURCES: "1" },
  }),
  /** The fast files of a package, or those that a further word names, again after each edit of what they lead to. */
  dev: ([name, ...args]) => ({
    args: ["watch", "--project", projectOf(name), ...args],
    env: { CM_SOURCES: "1", ...(args.length === 0 ? { CM_TESTS: "fast" } : {}) },
  }),
};

const [form = "", ...rest] = process.argv.slice(2);
const { args, env, passed } = forms[form](rest);
if (args === undefined) {
  // As `tools/closing-line.ts` ends every run.
  console.log("0 passed, 0 failed, 0 skipped");
} else {
  const child = spawn(process.execPath, [vitest, ...args], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  child.on("exit", (code) => {
    process.exitCode = code ?? 1;
    if (code === 0) passed?.();
  });
}
