import { createHash } from "node:crypto";
import { copyFile, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { MissingPi } from "./missing-pi.ts";
import { packed } from "./packed.ts";
import { runNpm, runProgram } from "./run-program.ts";

/**
 * Fetches the packed Pi and what it needs into an empty folder, with the registry that npm is configured to use.
 * @throws MissingPi without a way to the registry; Error for another tarball than the pinned one
 */
export async function fetchPacked(folder: string): Promise<void> {
  const spec = `${packed.name}@${packed.version}`;
  await must(`fetch ${spec}`, runNpm(["pack", spec, "--ignore-scripts", "--prefer-offline"], folder));
  const [tarball = ""] = (await readdir(folder)).filter((name) => name.endsWith(".tgz"));
  const hash = createHash("sha512")
    .update(await readFile(join(folder, tarball)))
    .digest("base64");
  if (hash !== packed.sha512) {
    throw new Error(
      `The tarball of ${spec} is not the one that tools/real-pi/pi/packed.ts names; nothing was run of it.`,
    );
  }
  await must(`unpack ${spec}`, runProgram("tar", ["-xzf", tarball], folder));
  await rm(join(folder, tarball));
  const modules = join(import.meta.dirname, "modules");
  for (const name of ["package.json", "package-lock.json"]) await copyFile(join(modules, name), join(folder, name));
  await must(
    `install what ${spec} needs`,
    runNpm(["ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", `--prefix=${folder}`], folder),
  );
}

async function must(what: string, running: ReturnType<typeof runProgram>): Promise<void> {
  const { code, output } = await running;
  if (code === 0) return;
  throw new MissingPi(
    `Could not ${what}. The first run needs npm's registry, later ones do not: check the connection and ` +
      `\`npm config get registry\`, then run the same command again.\n${output.trim()}`,
  );
}
