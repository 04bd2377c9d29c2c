import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../workspace.ts";
import { packed } from "./packed.ts";
import type { PiCommand, PiVersion } from "./pi-versions.ts";
import { runNpm, runProgram } from "./run-program.ts";

/** Why a version of Pi is not here and could not be fetched; the tests that need it are then left out by name. */
export class MissingPi extends Error {
  override readonly name = "MissingPi";
}

const shelf = join(root, ".toolchain", "pi");
const fetched = join(shelf, packed.version);
const fetching = new Map<PiVersion, Promise<PiCommand>>();

/**
 * Makes a version of Pi ready to run: 0.87.1 as the workspace installed it, 1.5.2 from its tarball, once, into
 * `.toolchain/pi`. Several processes may call it at once: each builds beside, and the first that is done puts it in place.
 * @throws MissingPi without a network where it is not there yet; Error for another tarball than the pinned one
 */
export function preparePi(version: PiVersion): Promise<PiCommand> {
  const already = fetching.get(version);
  if (already !== undefined) return already;
  const command = version === packed.version ? fetchedPi() : installedPi(version);
  fetching.set(version, command);
  return command;
}

/** Whether this machine has the version of Pi, or could fetch it; says why where not. */
export async function canRunPi(version: PiVersion): Promise<boolean> {
  try {
    await preparePi(version);
    return true;
  } catch (error) {
    if (!(error instanceof MissingPi)) throw error;
    console.warn(error.message);
    return false;
  }
}

async function installedPi(version: PiVersion): Promise<PiCommand> {
  const folder = join(root, "packages/pi-extension/node_modules", packed.name);
  const manifest = join(folder, "package.json");
  const there = existsSync(manifest)
    ? (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version
    : "no";
  if (there !== version) {
    throw new MissingPi(`Pi ${version} should be installed in the workspace, but ${there} Pi is there: run npm start.`);
  }
  return { version, cli: join(folder, "dist/cli.js") };
}

async function fetchedPi(): Promise<PiCommand> {
  const command: PiCommand = { version: packed.version, cli: join(fetched, "package", packed.cli) };
  if (existsSync(command.cli)) return command;
  await mkdir(shelf, { recursive: true });
  const own = await mkdtemp(join(shelf, "fetching-"));
  try {
    await fetchInto(own);
    await rename(own, fetched);
  } catch (error) {
    // Another process was faster, and its copy is as good.
    if (!existsSync(command.cli)) throw error;
  } finally {
    await rm(own, { recursive: true, force: true });
  }
  return command;
}

async function fetchInto(folder: string): Promise<void> {
  const spec = `${packed.name}@${packed.version}`;
  await must(`fetch ${spec}`, runNpm(["pack", spec, "--ignore-scripts"], folder));
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
    runNpm(["ci", "--ignore-scripts", "--no-audit", "--no-fund", `--prefix=${folder}`], folder),
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
