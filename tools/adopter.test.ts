// @module-tag process
// @module-tag long
import { execFile, execFileSync } from "node:child_process";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { importsOf, packageOf } from "./imports.ts";
import { type Member, published, root } from "./workspace.ts";

interface SourceMap {
  readonly sources: readonly string[];
  readonly sourceRoot?: string;
}

const folder = mkdtempSync(join(tmpdir(), "cm adopter "));

/** Runs a program and throws with all it printed, not only with its exit status. */
async function run(cwd: string, command: string, ...args: string[]): Promise<string> {
  try {
    return (await promisify(execFile)(command, args, { cwd, encoding: "utf8", maxBuffer: 2 ** 26 })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${command} ${args.join(" ")}\n${stdout}\n${stderr}`);
  }
}

/** The packages of ours that come along with one of them, itself included; optional ones come only on request. */
function closure(name: string): string[] {
  const member = published.find((candidate) => candidate.name === name);
  if (member === undefined) throw new Error(`${name} is needed by a published package but is not published.`);
  const { dependencies, peerDependencies, peerDependenciesMeta = {} } = member;
  const direct = Object.keys({ ...dependencies, ...peerDependencies }).filter(
    (other) => peerDependenciesMeta[other]?.optional !== true,
  );
  const further = direct.filter((other) => other.startsWith("@cm/")).flatMap(closure);
  return [...new Set([name, ...further])].sort();
}

const project = ({ name }: Member): string => join(folder, name.replace("@cm/", ""));
const installed = (member: Member): string => join(project(member), "node_modules", member.name);
const manifestOf = (member: Member) => JSON.parse(readFileSync(join(installed(member), "package.json"), "utf8"));
/** A law that fails is opened and read: the sources come along. */
const withSources = ["@cm/testkit"];
const entries = ({ name, exports = {} }: Member): string[] =>
  Object.keys(exports)
    .filter((key) => key !== "./package.json")
    .map((key) => name + key.slice(1));

function pack(): Map<string, string> {
  const filters = published.flatMap(({ name }) => ["--filter", name]);
  const packed = execFileSync("pnpm", ["--recursive", ...filters, "pack", "--json", "--pack-destination", folder], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  const tarballs = JSON.parse(packed) as { name: string; filename: string }[];
  return new Map(tarballs.map(({ name, filename }) => [name, filename]));
}

/** Each package alone in a project of its own; what it needs of ours comes from the tarballs, too. */
async function install(member: Member, tarballs: ReadonlyMap<string, string>): Promise<void> {
  const others = closure(member.name).filter((name) => name !== member.name);
  const manifest = {
    private: true,
    type: "module",
    dependencies: { [member.name]: `file:${tarballs.get(member.name)}` },
    overrides: Object.fromEntries(others.map((name) => [name, `file:${tarballs.get(name)}`])),
  };
  mkdirSync(project(member));
  writeFileSync(join(project(member), "package.json"), JSON.stringify(manifest));
  await run(project(member), "npm", "install", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error");
}

beforeAll(async () => {
  const tarballs = pack();
  const waiting = [...published];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await install(next, tarballs);
  };
  await Promise.all([worker(), worker()]);
}, 180_000);

// Many small files: on a busy machine that takes longer than Vitest waits by itself.
afterAll(() => rmSync(folder, { recursive: true, force: true }), 60_000);

describe.each(published.filter(({ name }) => withSources.includes(name)))(
  "$name, packed with its sources",
  (member) => {
    it("has maps that lead to its sources", () => {
      const sources = globSync("dist/**/*.map", { cwd: installed(member) }).flatMap((map) => {
        const path = join(installed(member), map);
        const { sources, sourceRoot = "" } = JSON.parse(readFileSync(path, "utf8")) as SourceMap;
        return sources.map((source) => join(path, "..", sourceRoot, source));
      });

      expect(sources.length).toBeGreaterThan(100);
      expect(sources.filter((path) => !existsSync(path))).toEqual([]);
    });
  },
);

describe.each(published)("$name, packed and installed with plain npm", (member) => {
  it("brings along only what it declares of ours", () => {
    const scope = join(project(member), "node_modules", "@cm");

    expect(
      readdirSync(scope)
        .map((name) => `@cm/${name}`)
        .sort(),
    ).toEqual(closure(member.name));
  });

  it("consists of its build, its papers and nothing else", () => {
    const files = globSync("**/*", { cwd: installed(member), withFileTypes: true, exclude: ["node_modules"] })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(installed(member).length + 1)
          .replaceAll("\\", "/"),
      );

    expect(files).toEqual(expect.arrayContaining(["package.json", "README.md", "LICENSE", "dist/index.js"]));
    expect(
      files.filter(
        (path) =>
          !/^(dist\/.+|(README|CHANGELOG)\.md|LICENSE|package\.json|settings\.schema\.json)$/.test(path) &&
          !(withSources.includes(member.name) && /^(src|examples)\/.+\.ts$/.test(path)),
      ),
    ).toEqual([]);
  });

  it("asks for versions that a registry can answer, and runs nothing on installation", () => {
    const manifest = manifestOf(member);

    expect(JSON.stringify(manifest)).not.toMatch(/"(workspace|catalog|link|file):/);
    expect(Object.keys(manifest.scripts ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^((pre|post)?install|prepare)$/)]),
    );
  });

  it("imports in its build only what it declares", () => {
    const { dependencies, peerDependencies } = manifestOf(member);
    const declared = [member.name, ...Object.keys({ ...dependencies, ...peerDependencies })];
    const imported = globSync("dist/**/*.{js,d.ts}", { cwd: installed(member) })
      .flatMap((path) => importsOf(readFileSync(join(installed(member), path), "utf8")))
      .flatMap((specifier) => packageOf(specifier) ?? []);

    expect(imported.filter((name) => !declared.includes(name))).toEqual([]);
  });

  it("is imported by plain Node", { timeout: 60_000 }, async () => {
    const code = `for (const name of ${JSON.stringify(entries(member))}) await import(name); console.log("imported");`;

    const output = await run(project(member), process.execPath, "--input-type=module", "--eval", code);

    expect(output).toBe("imported\n");
  });

  it("type-checks in a strict project", { timeout: 60_000 }, async () => {
    const lines = entries(member).flatMap((entry, index) => [
      `import * as api${index} from "${entry}";`,
      "// @ts-expect-error Were the types missing, every name would be accepted.",
      `api${index}.thereIsNoSuchName;`,
    ]);
    writeFileSync(join(project(member), "index.ts"), `${lines.join("\n")}\n`);
    const node = ["--types", "node", "--typeRoots", join(root, "node_modules", "@types")];
    const strict = ["--noEmit", "--strict", "--skipLibCheck", "false", "--module", "nodenext", "--target", "es2023"];

    const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
    const output = await run(project(member), process.execPath, tsc, ...strict, ...node, "index.ts");

    expect(output).toBe("");
  });
});
