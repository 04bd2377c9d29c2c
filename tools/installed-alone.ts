import { execFile, execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Member, published, root } from "./workspace.ts";

/** An entry of the lockfile that npm leaves in `node_modules`. */
interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** A project whose only dependency is one of our packages. */
export interface Project {
  readonly folder: string;
  /** The names of our packages that came along with it, itself included. */
  readonly ours: readonly string[];
}

export type Projects = ReadonlyMap<string, Project>;

/** Runs a program and throws with all it printed, not only with its exit status. */
export async function run(cwd: string, command: string, ...args: string[]): Promise<string> {
  try {
    return (await promisify(execFile)(command, args, { cwd, encoding: "utf8", maxBuffer: 2 ** 26 })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${command} ${args.join(" ")}\n${stdout}\n${stderr}`);
  }
}

/** Packs what is published. @returns the tarballs' paths by name */
export function pack(folder: string): Map<string, string> {
  const filters = published.flatMap(({ name }) => ["--filter", name]);
  const packed = execFileSync("pnpm", ["--recursive", ...filters, "pack", "--json", "--pack-destination", folder], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  const tarballs = JSON.parse(packed) as { name: string; filename: string }[];
  return new Map(tarballs.map(({ name, filename }) => [name, filename]));
}

const folderOf = (folder: string, name: string): string => join(folder, name.replace("@cm/", ""));

async function npmInstall(folder: string, manifest: object, ...more: readonly string[]): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", ...manifest }));
  await run(folder, "npm", "install", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error", ...more);
}

const files = (tarballs: ReadonlyMap<string, string>, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, `file:${tarballs.get(name)}`]));

/** One installation for each package; what it needs of ours comes from the tarballs, too. */
export async function installEach(folder: string, tarballs: ReadonlyMap<string, string>): Promise<Projects> {
  const projects = new Map<string, Project>();
  const waiting = [...tarballs.keys()];
  const worker = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const project = folderOf(folder, name);
      const others = [...tarballs.keys()].filter((other) => other !== name);
      await npmInstall(project, { dependencies: files(tarballs, [name]), overrides: files(tarballs, others) });
      const ours = readdirSync(join(project, "node_modules", "@cm")).map((short) => `@cm/${short}`);
      projects.set(name, { folder: project, ours: ours.sort() });
    }
  };
  await Promise.all([worker(), worker()]);
  return projects;
}

/** What our packages ask for of others, as it lies in the workspace. */
function workspaceCopies(): Readonly<Record<string, string>> {
  const copies = published.flatMap(({ folder, dependencies, peerDependencies }) =>
    Object.keys({ ...dependencies, ...peerDependencies })
      .filter((name) => !name.startsWith("@cm/"))
      .map((name) => [name, join(root, folder, "node_modules", name)] as const),
  );
  return Object.fromEntries(
    copies.filter(([, path]) => existsSync(path)).map(([name, path]) => [name, realpathSync(path)]),
  );
}

/**
 * One installation of all packages, taken apart: each package then lies beside links to what its own manifest asks for, and
 * to nothing else. A project that links to one package finds that one alone. What others published is linked from the
 * workspace: npm would unpack 200 MB of it.
 */
export async function installOnce(folder: string, tarballs: ReadonlyMap<string, string>): Promise<Projects> {
  const whole = join(folder, "whole");
  const overrides = Object.fromEntries(Object.entries(workspaceCopies()).map(([name, path]) => [name, `file:${path}`]));
  // npm runs the `prepare` of a package that it links, which is for those who work on it.
  await npmInstall(whole, { dependencies: files(tarballs, [...tarballs.keys()]), overrides }, "--ignore-scripts");
  const needs = needsOf(join(whole, "node_modules"));
  const apart = (name: string): string => join(folder, "apart", name.replace("/", "+"), "node_modules");
  for (const [name, needed] of needs) {
    move(join(whole, "node_modules", name), join(apart(name), name));
    for (const other of needed) link(join(apart(other), other), join(apart(name), other));
  }
  return new Map(
    [...tarballs.keys()].map((name) => {
      const project = folderOf(folder, name);
      link(join(apart(name), name), join(project, "node_modules", name));
      writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }');
      return [name, { folder: project, ours: reachedFrom(name, needs).filter((other) => other.startsWith("@cm/")) }];
    }),
  );
}

/**
 * Adds what a package needs of others for some of its entries, as a user of these entries does: its optional peers. Where
 * all was installed once, the workspace has them.
 */
export async function addOptionalPeers(
  folder: string,
  { name, peerDependencies = {}, ...member }: Member,
  project: Project,
) {
  const isOptional = (peer: string) => member.peerDependenciesMeta?.[peer]?.optional === true;
  const peers = Object.entries(peerDependencies).filter(([peer]) => isOptional(peer) && !peer.startsWith("@cm/"));
  const beside = join(folder, "apart", name.replace("/", "+"), "node_modules");
  for (const [peer, version] of peers) {
    if (existsSync(beside)) link(join(root, member.folder, "node_modules", peer), join(beside, peer));
    else await run(project.folder, "npm", "install", "--no-save", "--no-audit", "--no-fund", `${peer}@${version}`);
  }
}

/** A link of npm's is relative: it is made anew. */
function move(from: string, to: string): void {
  if (lstatSync(from).isSymbolicLink()) link(realpathSync(from), to);
  else {
    mkdirSync(dirname(to), { recursive: true });
    renameSync(from, to);
  }
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path, "junction");
}

/**
 * What each package at the top of a `node_modules` asks for, or a package inside its own. Optional peers of ours are not
 * asked for; those of others are where they are there, as an installation of a user has them side by side.
 */
function needsOf(modules: string): Map<string, string[]> {
  const { packages } = JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8")) as {
    packages: Record<string, Locked>;
  };
  const needs = new Map<string, string[]>();
  for (const [place, locked] of Object.entries(packages)) {
    const [, name = ""] = /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(place) ?? [];
    // Nor one that is linked from elsewhere: its own needs lie beside it there.
    if (name === "") continue;
    const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} } = locked;
    const isOurs = name.startsWith("@cm/");
    const peers = Object.keys(peerDependencies).filter(
      (peer) => !isOurs || peerDependenciesMeta[peer]?.optional !== true,
    );
    const asked = [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
    const there = asked.filter((other) => other !== name && existsSync(join(modules, other)));
    needs.set(name, [...new Set([...(needs.get(name) ?? []), ...there])]);
  }
  return needs;
}

function reachedFrom(name: string, needs: ReadonlyMap<string, readonly string[]>): string[] {
  const reached = new Set([name]);
  for (const one of reached) for (const other of needs.get(one) ?? []) reached.add(other);
  return [...reached].sort();
}

/** The packages of ours that come along with one of them, itself included; optional ones come only on request. */
export function closure(name: string): string[] {
  const member = published.find((candidate) => candidate.name === name);
  if (member === undefined) throw new Error(`${name} is needed by a published package but is not published.`);
  const { dependencies, peerDependencies, peerDependenciesMeta = {} }: Member = member;
  const direct = Object.keys({ ...dependencies, ...peerDependencies }).filter(
    (other) => peerDependenciesMeta[other]?.optional !== true,
  );
  const further = direct.filter((other) => other.startsWith("@cm/")).flatMap(closure);
  return [...new Set([name, ...further])].sort();
}
