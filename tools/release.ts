// npm run release [-- --dry-run] [--registry URL] [--otp CODE] [--provenance]
//
// Turns the waiting changesets into versions and changelogs, commits them, and publishes with pnpm every package
// version that the registry does not have. Private members, the apps, are left out. Nothing is pushed. A run that was
// interrupted can be repeated: what is done stays done.
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { registryUrl } from "./npm-registry.ts";
import { root } from "./workspace.ts";

/** Ends the release with one sentence. */
class ReleaseStopped extends Error {}

const windows = process.platform === "win32";

function run(command: string, args: readonly string[], whenItFails: string): void {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: "inherit", shell: windows });
  if (status !== 0) throw new ReleaseStopped(error === undefined ? whenItFails : `${whenItFails} (${error.message})`);
}

function ask(command: string, args: readonly string[]): string {
  return execFileSync(command, args, { cwd: root, encoding: "utf8", shell: windows }).trim();
}

function options() {
  const { values } = parseArgs({
    options: {
      "dry-run": { type: "boolean", default: false },
      registry: { type: "string" },
      otp: { type: "string" },
      provenance: { type: "boolean", default: false },
    },
  });
  return { ...values, registry: values.registry ?? registryUrl() };
}

const changesetsWait = (): boolean =>
  readdirSync(join(root, ".changeset")).some((name) => name.endsWith(".md") && name !== "README.md");

const build = (whenItFails: string): void =>
  run("pnpm", ["exec", "nx", "run-many", "-t", "build", "--outputStyle=summary"], whenItFails);

function version(): void {
  const back = "Nothing was published; `git restore . && git clean -d packages` takes the new versions back.";
  run("pnpm", ["exec", "changeset", "version"], `Versioning failed. ${back}`);
  // After versioning, since a package may carry its own version in its code.
  build(`The build failed. ${back}`);
  run("git", ["add", "--all"], `git could not add the versions. ${back}`);
  run("git", ["commit", "--quiet", "--message", "Release the waiting changesets"], `git could not commit. ${back}`);
}

function publish({ registry, otp, provenance }: ReturnType<typeof options>, ...more: string[]): void {
  run(
    "pnpm",
    [
      // The tree has been checked here, and a release branch may have any name.
      ...["publish", "--recursive", "--no-git-checks", "--registry", registry],
      ...(otp === undefined ? [] : ["--otp", otp]),
      ...(provenance ? ["--provenance"] : []),
      ...more,
    ],
    "Publishing failed. The versions are committed: run `npm run release` again to publish what is missing.",
  );
}

function release(): void {
  const chosen = options();
  if (ask("git", ["status", "--porcelain"]) !== "") {
    throw new ReleaseStopped("The working tree has changes that are not committed; a release starts from a clean one.");
  }
  if (chosen["dry-run"]) {
    if (changesetsWait()) run("pnpm", ["exec", "changeset", "status"], "The changesets could not be read.");
    build("The build failed.");
    publish(chosen, "--dry-run");
    return;
  }
  if (changesetsWait()) version();
  else build("The build failed. Nothing was published.");
  publish(chosen);
  run("pnpm", ["exec", "changeset", "git-tag"], "All is published, but git could not tag the versions.");
  console.log("Published. `git push --follow-tags` makes the versions known.");
}

try {
  release();
} catch (error) {
  if (!(error instanceof Error)) throw error;
  // A wrong option is the caller's fault and explains itself; anything else is ours and needs its stack.
  const expected = error instanceof ReleaseStopped || ("code" in error && `${error.code}`.startsWith("ERR_PARSE_ARGS"));
  console.error(expected ? error.message : error);
  process.exitCode = 1;
}
