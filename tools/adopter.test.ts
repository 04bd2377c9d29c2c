// @module-tag process
// @module-tag long
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { importsOf, packageOf } from "./imports.ts";
import {
  addOptionalPeers,
  closure,
  installEach,
  installOnce,
  type Project,
  type Projects,
  pack,
  run,
} from "./installed-alone.ts";
import { type Member, published, root } from "./workspace.ts";

interface SourceMap {
  readonly sources: readonly string[];
  readonly sourceRoot?: string;
}

const folder = mkdtempSync(join(tmpdir(), "cm adopter "));

const isCampaign = process.env.CM_CAMPAIGN === "1";

let tarballs: ReadonlyMap<string, string>;
let projects: Projects;
let imported: ReadonlyMap<string, string>;
const project = ({ name }: Member): Project => {
  const found = projects.get(name);
  if (found === undefined) throw new Error(`${name} was not installed.`);
  return found;
};
const installed = (member: Member): string => join(project(member).folder, "node_modules", member.name);
const manifestOf = (member: Member) => JSON.parse(readFileSync(join(installed(member), "package.json"), "utf8"));
/** A law that fails is opened and read: the sources come along. */
const withSources = ["@cm/testkit"];
const entries = ({ name, exports = {} }: Member): string[] =>
  Object.keys(exports)
    .filter((key) => key !== "./package.json")
    .map((key) => name + key.slice(1));

beforeAll(async () => {
  tarballs = pack(folder);
  projects = await (isCampaign ? installEach : installOnce)(folder, tarballs);
  imported = await (isCampaign ? importedEach() : importedTogether());
});

/** Writes into a package's project what imports all its entries there. @returns its path */
function importer(member: Member): string {
  const path = join(project(member).folder, "imported.mjs");
  writeFileSync(
    path,
    entries(member)
      .map((name) => `import ${JSON.stringify(name)};\n`)
      .join(""),
  );
  return path;
}

/** What Node says of each package's entries, in one process: each is looked for from its own project. */
async function importedTogether(): Promise<ReadonlyMap<string, string>> {
  const asked = JSON.stringify(published.map((member) => [member.name, pathToFileURL(importer(member)).href]));
  const code = `const said = [];
    for (const [name, url] of ${asked}) said.push([name, await import(url).then(() => "imported", String)]);
    console.log(JSON.stringify(said));`;
  return new Map(JSON.parse(await run(folder, process.execPath, "--input-type=module", "--eval", code)));
}

/** The same in a process for each. */
async function importedEach(): Promise<ReadonlyMap<string, string>> {
  const said = new Map<string, string>();
  for (const member of published) {
    await run(project(member).folder, process.execPath, importer(member));
    said.set(member.name, "imported");
  }
  return said;
}

// Many small files, in a campaign as many again for each package: on a busy machine that takes minutes.
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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

// Each alone: what is not declared is not found. In the campaign npm installs each into a project of its own.
describe.each(published)("$name, packed and installed with plain npm", (member) => {
  it("has entries that every resolver finds, with their types", async () => {
    const { buffer, byteOffset, byteLength } = readFileSync(tarballs.get(member.name) ?? "");
    const tarball = buffer.slice(byteOffset, byteOffset + byteLength);
    const { messages, pkg } = await publint({ pack: { tarball }, strict: true });

    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  it("brings along only what it declares of ours", () => {
    expect(project(member).ours).toEqual(closure(member.name));
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

  it("is imported by plain Node", () => {
    expect(imported.get(member.name)).toBe("imported");
  });
});

describe("strict projects with each package", () => {
  it("type-check", async () => {
    for (const member of published) await addOptionalPeers(folder, member, project(member));
    const written = published.map((member) => {
      const lines = entries(member).flatMap((entry, index) => [
        `import * as api${index} from "${entry}";`,
        "// @ts-expect-error Were the types missing, every name would be accepted.",
        `api${index}.thereIsNoSuchName;`,
      ]);
      const path = join(project(member).folder, "index.ts");
      writeFileSync(path, `${lines.join("\n")}\n`);
      return path;
    });
    const node = ["--types", "node", "--typeRoots", join(root, "node_modules", "@types")];
    const strict = ["--noEmit", "--strict", "--skipLibCheck", "false", "--module", "nodenext", "--target", "es2023"];

    const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
    const output = await run(folder, process.execPath, tsc, ...strict, ...node, ...written);

    expect(written.length).toBe(published.length);
    expect(output).toBe("");
  });
});
