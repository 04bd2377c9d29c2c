import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fetchTarball } from "../registry-tarball.ts";
import { root } from "../workspace.ts";
import { MissingNode } from "./missing-node.ts";
import { type PinnedNode, pinnedNodes } from "./pinned-nodes.ts";

const toolchain = join(root, ".toolchain", "nodes");
const isWindows = process.platform === "win32";

/**
 * The program of a Node, fetched once into `.toolchain/nodes`. Several processes may call it at once: each builds beside,
 * and the first that is done puts it in place.
 * @throws MissingNode where npm has none for this system, or without a network where it is not there yet; Error for
 *   another tarball than the pinned one
 */
export async function prepareNode(version: PinnedNode, shelf = toolchain): Promise<string> {
  const folder = join(shelf, version);
  const program = join(folder, "package", "bin", isWindows ? "node.exe" : "node");
  if (existsSync(program)) return program;
  const { name, sha512 } = packageOf(version);
  await mkdir(shelf, { recursive: true });
  const own = await mkdtemp(join(shelf, "fetching-"));
  try {
    // The headers and documents beside the program take a third of the space.
    const only = "package/bin";
    const tarball = { spec: `${name}@${version}`, sha512, pinnedIn: "tools/nodes/pinned-nodes.ts", only };
    await fetchTarball(tarball, own, (message) => new MissingNode(message));
    await rename(own, folder);
  } catch (error) {
    // Another process was faster, and its copy is as good.
    if (!existsSync(program)) throw error;
  } finally {
    await rm(own, { recursive: true, force: true });
  }
  return program;
}

/** Whether this machine has the Node, or could fetch it; says why where not. */
export async function canRunNode(version: PinnedNode): Promise<boolean> {
  try {
    await prepareNode(version);
    return true;
  } catch (error) {
    if (!(error instanceof MissingNode)) throw error;
    console.warn(error.message);
    return false;
  }
}

/** npm's package for this system. */
function packageOf(version: PinnedNode): { readonly name: string; readonly sha512: string } {
  const system = isWindows ? "win" : process.platform;
  const pins: Readonly<Record<string, string>> = pinnedNodes[version];
  const [name, sha512] =
    Object.entries(pins).find(([each]) => each.replace("node-bin-", "node-") === `node-${system}-${process.arch}`) ??
    [];
  if (name === undefined || sha512 === undefined)
    throw new MissingNode(`npm has no Node ${version} for ${process.platform}-${process.arch}.`);
  return { name, sha512 };
}
