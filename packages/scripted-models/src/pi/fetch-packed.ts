import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { fetchTarball, must } from "../../../../tools/registry-tarball.ts";
import { runNpm } from "../../../../tools/run-program.ts";
import { MissingPi } from "./missing-pi.ts";
import { packed } from "./packed.ts";

const missing = (message: string) => new MissingPi(message);

/**
 * Fetches the packed Pi and what it needs into an empty folder, with the registry that npm is configured to use.
 * @throws MissingPi without a way to the registry; Error for another tarball than the pinned one
 */
export async function fetchPacked(folder: string): Promise<void> {
  const spec = `${packed.name}@${packed.version}`;
  await fetchTarball(
    { spec, sha512: packed.sha512, pinnedIn: "packages/scripted-models/src/pi/packed.ts" },
    folder,
    missing,
  );
  const modules = join(import.meta.dirname, "modules");
  for (const name of ["package.json", "package-lock.json"]) await copyFile(join(modules, name), join(folder, name));
  await must(
    `install what ${spec} needs`,
    runNpm(["ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", `--prefix=${folder}`], folder),
    missing,
  );
}
