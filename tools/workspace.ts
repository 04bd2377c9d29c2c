import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The workspace root, as an absolute path. */
export const root: string = join(import.meta.dirname, "..");

/** A member's manifest, with the folder it lies in. */
export interface Member {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly engines?: { readonly node?: string };
  readonly scripts?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly publishConfig?: { readonly exports?: Readonly<Record<string, unknown>> };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** All packages and apps and the XTDB node, by folder. */
export const members: readonly Member[] = globSync("{{packages,apps}/*,xtdb}/package.json", { cwd: root })
  .map((path) => ({ ...readJson(path), folder: path.replaceAll("\\", "/").replace(/\/package\.json$/, "") }) as Member)
  .sort((a, b) => a.folder.localeCompare(b.folder));

/** The members that adopters can install. */
export const published: readonly Member[] = members.filter((member) => member.private !== true);

export function readJson(path: string): object {
  return JSON.parse(readFileSync(join(root, path), "utf8"));
}

/** Text files below a folder of the workspace: `path` is relative to that folder, written with `/`. */
export function sourcesBelow(folder: string, pattern: string): { path: string; text: string }[] {
  return globSync(pattern, { cwd: join(root, folder) })
    .map((path) => ({ path: path.replaceAll("\\", "/"), text: readFileSync(join(root, folder, path), "utf8") }))
    .sort((a, b) => a.path.localeCompare(b.path));
}

/** The files git knows of, committed or about to be. */
export function committedFiles(): string[] {
  const listed = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 });
  return listed.split("\0").filter((path) => path !== "");
}
