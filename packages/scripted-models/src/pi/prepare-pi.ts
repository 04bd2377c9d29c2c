import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../../../tools/workspace.ts";
import { fetchPacked } from "./fetch-packed.ts";
import { MissingPi } from "./missing-pi.ts";
import { packed } from "./packed.ts";
import type { PiCommand, PiVersion } from "./pi-versions.ts";

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
  return { version, cli: join(folder, packed.cli) };
}

async function fetchedPi(): Promise<PiCommand> {
  const command: PiCommand = { version: packed.version, cli: join(fetched, "package", packed.cli) };
  if (existsSync(command.cli)) return command;
  await mkdir(shelf, { recursive: true });
  const own = await mkdtemp(join(shelf, "fetching-"));
  try {
    await fetchPacked(own);
    await rename(own, fetched);
  } catch (error) {
    // Another process was faster, and its copy is as good.
    if (!existsSync(command.cli)) throw error;
  } finally {
    await rm(own, { recursive: true, force: true });
  }
  return command;
}
