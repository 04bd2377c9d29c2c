// The workspace's dependencies, as the lockfile has them.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { failInstall } from "./failure.mjs";
import { npm } from "./npm.mjs";
import { fetchesNode, nodeVersion, pnpmVersion, read, root } from "./pinned.mjs";
import { toolchain } from "./toolchain.mjs";

/** A hash over all that decides what gets installed. While it stands, there is nothing to do. */
function fingerprint() {
  const hash = createHash("sha256").update(`${nodeVersion} ${pnpmVersion} ${fetchesNode}`);
  const members = ["packages", "apps"].flatMap((folder) =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder)).map((name) => join(folder, name, "package.json"))
      : [],
  );
  for (const path of ["pnpm-lock.yaml", "pnpm-workspace.yaml", "package.json", ...members.sort()]) {
    if (existsSync(join(root, path))) hash.update(`\0${path}\0`).update(read(path));
  }
  return hash.digest("hex");
}

/** Without a network pnpm tries every package again and again, for minutes. One question answers for all of them. */
function askRegistry() {
  // Into an empty cache, because npm answers from a filled one whether or not the registry is there.
  const cache = join(toolchain, "probe");
  const answer = npm(["view", `pnpm@${pnpmVersion}`, "version", "--cache", cache]);
  rmSync(cache, { recursive: true, force: true });
  return answer;
}

export function installDependencies(pnpm, env) {
  const stamp = join(root, "node_modules", ".setup-stamp");
  const wanted = fingerprint();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  console.error("Installing the dependencies (when they have changed)");
  const install = (...more) => {
    const result = spawnSync(pnpm, ["install", "--frozen-lockfile", "--reporter=append-only", ...more], {
      ...{ cwd: root, env, stdio: ["ignore", "pipe", "pipe"], encoding: "utf8", maxBuffer: 2 ** 28 },
    });
    return {
      status: result.status,
      output: `${result.stdout ?? ""}${result.stderr ?? ""}${result.error?.message ?? ""}`,
    };
  };
  // pnpm's store may hold everything already: no network then.
  let result = install("--offline");
  if (result.status !== 0) {
    result = askRegistry();
    if (result.status === 0) result = install();
  }
  if (result.status !== 0) failInstall("the dependencies", result.output);
  writeFileSync(stamp, wanted);
}
