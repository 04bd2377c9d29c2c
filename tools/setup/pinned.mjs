// Which programs this workspace is built with, and where it lies.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A file of the workspace, by its path below the root. */
export const read = (path) => readFileSync(join(root, path), "utf8");

/** From "packageManager", where pnpm and the editors look too: `pnpm@1.2.3+hash` is version 1.2.3. */
export const pnpmVersion = JSON.parse(read("package.json")).packageManager.split("@")[1].split("+")[0];

export const nodeVersion = read(".node-version").trim();

/** A present Node as new as the pinned one will do; otherwise the pinned one is fetched. */
export const fetchesNode = isOlder(process.versions.node, nodeVersion);

export const windows = process.platform === "win32";

/** Compares versions such as 24.21.0 number by number. */
function isOlder(version, other) {
  const [major, minor, patch] = version.split(".").map(Number);
  const [otherMajor, otherMinor, otherPatch] = other.split(".").map(Number);
  if (major !== otherMajor) return major < otherMajor;
  return minor !== otherMinor ? minor < otherMinor : patch < otherPatch;
}
