import type { BigIntStats } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { folderName, repoNameOf } from "../binding/repo-name.ts";
import { type RunOptions, repositoryTrouble, runGit } from "../process/run-git.ts";
import { reasons, Trouble } from "../reasons.ts";
import type { ObjectFormat } from "./objects.ts";

/** A folder that the application hands in. */
export interface RegisteredFolder {
  /** A working tree, a linked one, or a git folder. */
  readonly folder: string;
  /** The remote that names the repository. Default: `origin`, else the only one, else the repository's own folder. */
  readonly remote?: string;
}

/** The current identity of a registered folder. */
export interface RepositoryFacts {
  readonly repo: string;
  readonly format: ObjectFormat;
  /** Canonical; linked working trees share it. */
  readonly gitFolder: string;
  /** Changes when another folder takes this one's place. */
  readonly place: string;
}

/**
 * The canonical folder and what stands there, asked without a process.
 * @throws Trouble where there is no folder
 */
export async function placeOf(folder: string): Promise<{ readonly folder: string; readonly place: string }> {
  try {
    const real = await realpath(folder);
    const inside = await stat(join(real, ".git"), { bigint: true }).catch(() => undefined);
    return { folder: real, place: [real, markOf(await stat(real, { bigint: true })), inside && markOf(inside)].join() };
  } catch (error) {
    throw new Trouble(reasons.noFolder, { cause: error });
  }
}

/** Numbers of folders are given again, so the time of birth counts, too, where the file system knows one. */
function markOf({ dev, ino, birthtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, birthtimeNs === ctimeNs ? "" : birthtimeNs].join(":");
}

/** @throws Trouble where git does not take the folder for a repository of this user */
export async function identify(
  { remote }: RegisteredFolder,
  options: RunOptions & { readonly filesystemId: string; readonly place: string },
): Promise<RepositoryFacts> {
  const { filesystemId, place } = options;
  const asked = ["rev-parse", "--path-format=absolute", "--git-common-dir", "--show-object-format"];
  const { code, stdout, stderr } = await runGit(asked, options);
  if (code !== 0) throw repositoryTrouble(stderr);
  const [gitFolder = "", format, ...more] = stdout.toString("utf8").trimEnd().split("\n");
  if (more.length > 0 || (format !== "sha1" && format !== "sha256")) throw new Trouble(reasons.brokenRepository);
  const canonical = await realpath(gitFolder);
  const address = chosen(await remotes(options), remote);
  const repo = address === undefined ? undefined : repoNameOf(address, { filesystemId, folder: options.folder });
  return { repo: repo ?? folderName(filesystemId, canonical), format, gitFolder: canonical, place };
}

/** Addresses as they are written in the repository: rewriting rules of one user must not change the name. */
async function remotes(options: RunOptions): Promise<ReadonlyMap<string, string>> {
  const { code, stdout, stderr } = await runGit(
    ["config", "--local", "--null", "--get-regexp", "^remote\\..*\\.url$"],
    options,
  );
  if (code !== 0 && code !== 1) throw repositoryTrouble(stderr);
  const found = new Map<string, string>();
  for (const record of stdout.toString("utf8").split("\0")) {
    const [, name, address] = /^remote\.(.*)\.url\n(.*)$/s.exec(record) ?? [];
    if (name !== undefined && address !== undefined && !found.has(name)) found.set(name, address);
  }
  return found;
}

function chosen(all: ReadonlyMap<string, string>, remote: string | undefined): string | undefined {
  if (remote !== undefined) return all.get(remote);
  return all.get("origin") ?? (all.size === 1 ? [...all.values()][0] : undefined);
}
