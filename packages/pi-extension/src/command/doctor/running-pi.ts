import { readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/** Folders above a program that are looked at for its package. */
const levelsMax = 6;

/**
 * The version of the Pi that runs, by the package that its program lies in: loading Pi's own module for it would take a
 * second. Undefined where the program is no such package.
 */
export function runningPiVersion(program: string | undefined = process.argv[1]): string | undefined {
  if (program === undefined) return undefined;
  try {
    let folder = dirname(realpathSync(program));
    for (let level = 0; level < levelsMax; level += 1, folder = dirname(folder)) {
      const version = versionIn(folder);
      if (version !== undefined) return version;
    }
  } catch {
    // A program that cannot be found has no package.
  }
  return undefined;
}

function versionIn(folder: string): string | undefined {
  try {
    const { name, version }: { name?: unknown; version?: unknown } = JSON.parse(
      readFileSync(join(folder, "package.json"), "utf8"),
    );
    return typeof name === "string" && name.endsWith("/pi-coding-agent") && typeof version === "string"
      ? version
      : undefined;
  } catch {
    return undefined;
  }
}
