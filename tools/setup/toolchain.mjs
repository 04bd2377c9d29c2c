// The pinned pnpm, and where needed the pinned Node, as plain npm packages below `.toolchain/`. Both are native
// programs with no install script, so nothing global, no root and no download from another site is involved.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fail, failInstall } from "./failure.mjs";
import { npm } from "./npm.mjs";
import { fetchesNode, nodeVersion, pnpmVersion, root, windows } from "./pinned.mjs";

export const toolchain = join(root, ".toolchain");

/** Node's npm package for this machine. */
function nodePackage() {
  const system = windows ? "win" : process.platform;
  const prefix = system === "darwin" && process.arch === "arm64" ? "node-bin" : "node";
  return `${prefix}-${system}-${process.arch}`;
}

/** Installs what is missing; returns pnpm's path and the folders that go to the front of PATH. */
export function installToolchain() {
  const packages = [`pnpm@${pnpmVersion}`, ...(fetchesNode ? [`${nodePackage()}@${nodeVersion}`] : [])];
  const stamp = join(toolchain, "stamp");
  // The stamp is written last: a setup that was interrupted starts over. It may list more than the requested packages,
  // such as the Node that runs this script when the toolchain is first in PATH.
  const there = existsSync(stamp) ? readFileSync(stamp, "utf8").split(" ") : [];
  if (!packages.every((each) => there.includes(each))) {
    console.error(`Setting up ${packages.join(" and ")} in .toolchain (once)`);
    install(packages);
    writeFileSync(stamp, packages.join(" "));
  }
  return programs();
}

function install(packages) {
  rmSync(toolchain, { recursive: true, force: true });
  mkdirSync(toolchain, { recursive: true });
  // With a manifest of its own the folder is a project; npm would otherwise take the workspace for it.
  writeFileSync(join(toolchain, "package.json"), '{ "private": true }\n');
  const { status, output } = npm([
    ...["install", "--prefix", toolchain, "--no-save", "--no-package-lock", "--no-audit", "--no-fund"],
    ...["--ignore-scripts", ...packages],
  ]);
  if (status !== 0) {
    rmSync(toolchain, { recursive: true, force: true });
    failInstall(packages.join(" and "), output);
  }
}

function programs() {
  const modules = join(toolchain, "node_modules");
  // `pnpm` itself is a JavaScript starter for this program, and the program needs no Node.
  const native = readdirSync(join(modules, "@pnpm")).find((name) => name.startsWith("exe."));
  if (native === undefined) fail(`pnpm ${pnpmVersion} has no program for ${process.platform}-${process.arch}.`);
  const folder = join(modules, "@pnpm", native);
  const node = fetchesNode ? [join(modules, nodePackage(), windows ? "" : "bin")] : [];
  return { pnpm: join(folder, windows ? "pnpm.exe" : "pnpm"), folders: [folder, ...node] };
}
