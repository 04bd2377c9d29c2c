// @module-tag process
// Verifies: T17 (supply chain) and that nothing of the machine we work on gets into the repository.
import { readdirSync, readFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join, parse } from "node:path";
import { describe, expect, it } from "vitest";
import { registryUrl } from "./npm-registry.ts";
import { committedFiles, type Member, members, published, readJson, root } from "./workspace.ts";

/** The dependencies that each package makes its users install. A new line here is a decision: few, small and wanted. */
const runtimeDependencies: Record<string, readonly string[]> = {
  "@cm/cli": [
    "@cm/context-log",
    "@cm/exchange",
    "@cm/governance",
    "@cm/lineage",
    "@cm/object-model",
    "@cm/portable",
    "@cm/recordings",
    "@cm/render",
    "@cm/replay",
    "@cm/report-page",
    "@cm/session",
    "@cm/sources-container",
    "@cm/sources-fs",
    "@cm/sources-git",
    "@cm/store-place",
    "@cm/store-postgres",
    "@cm/store-sqlite",
    "@cm/store-xtdb",
    "@cm/terminal-text",
    "@cm/workspace",
    "@cm/xtdb-client",
    "commander",
    "diff",
  ],
  "@cm/context-log": ["@cm/object-model", "diff"],
  "@cm/context-tool": ["@cm/context-log", "@cm/object-model"],
  "@cm/journal": ["@cm/object-model", "zod"],
  "@cm/governance": ["@cm/object-model", "zod"],
  "@cm/lineage": ["@ag-ui/core", "@cm/object-model", "zod"],
  "@cm/object-model": ["zod"],
  "@cm/pi-extension": [
    "@cm/context-log",
    "@cm/context-tool",
    "@cm/object-model",
    "@cm/prompt-grammar",
    "@cm/render",
    "@cm/session",
    "@cm/sources-container",
    "@cm/sources-fs",
    "@cm/sources-git",
    "@cm/store-place",
    "@cm/store-postgres",
    "@cm/store-sqlite",
    "@cm/store-xtdb",
    "@cm/terminal-text",
    "@cm/tool-calls",
    "@cm/write-behind",
    "@cm/xtdb-client",
    "jsonc-parser",
    "zod",
  ],
  "@cm/exchange": [
    "@cm/context-log",
    "@cm/journal",
    "@cm/object-model",
    "@cm/recordings",
    "@cm/render",
    "@cm/session",
    "@cm/step-log",
  ],
  "@cm/portable": ["@cm/object-model", "zod"],
  "@cm/prompt-grammar": ["@cm/context-log", "@cm/object-model"],
  "@cm/recordings": ["@cm/journal", "@cm/object-model", "@cm/tool-calls", "zod"],
  "@cm/replay": [
    "@cm/context-log",
    "@cm/object-model",
    "@cm/recordings",
    "@cm/render",
    "@cm/session",
    "@cm/tool-calls",
    "zod",
  ],
  "@cm/render": ["@cm/context-log", "@cm/object-model", "@cm/prompt-grammar", "@cm/tool-calls", "diff", "ignore"],
  "@cm/report-page": ["@cm/terminal-text"],
  "@cm/server": [
    "@ag-ui/core",
    "@aws-sdk/client-s3",
    "@cm/context-log",
    "@cm/context-tool",
    "@cm/governance",
    "@cm/lineage",
    "@cm/object-model",
    "@cm/prompt-grammar",
    "@cm/render",
    "@cm/session",
    "@cm/sources-fs",
    "@cm/store-place",
    "@cm/store-postgres",
    "@cm/store-sqlite",
    "@cm/store-xtdb",
    "@cm/tool-calls",
    "@cm/workspace",
    "@earendil-works/pi-agent-core",
    "@earendil-works/pi-ai",
    "@earendil-works/pi-coding-agent",
    "@hono/node-server",
    "@hono/zod-openapi",
    "commander",
    "hono",
    "jsonc-parser",
    "prom-client",
    "zod",
  ],
  "@cm/session": ["@cm/context-log", "@cm/object-model", "@cm/step-log"],
  "@cm/step-log": ["@cm/context-log", "@cm/object-model"],
  "@cm/sources-fs": ["@cm/object-model", "chokidar", "ignore", "zod"],
  "@cm/sources-container": ["@cm/object-model"],
  "@cm/sources-git": ["@cm/object-model"],
  "@cm/sources-s3": ["@aws-sdk/client-s3", "@cm/object-model"],
  "@cm/store-place": [],
  "@cm/store-postgres": ["@cm/object-model", "pg"],
  "@cm/store-sqlite": ["@cm/object-model"],
  "@cm/store-xtdb": ["@cm/object-model", "@cm/xtdb-client"],
  "@cm/terminal-text": ["string-width"],
  "@cm/testkit": ["@cm/context-log", "@cm/object-model", "zod"],
  "@cm/tool-calls": ["@cm/object-model", "diff"],
  "@cm/workspace": ["@cm/governance", "@cm/object-model", "zod"],
  "@cm/write-behind": ["@cm/object-model"],
  "@cm/xtdb-client": ["undici", "zod"],
};

const workspace = { ...(readJson("package.json") as Member), folder: "." };

/** The oldest Node of all published packages: the one that Pi itself asks for. */
const oldestNode = ">=22.19";

/** Major and minor of the oldest version that a range such as `^18 || >= 20.19.0` takes from there on; nothing is 0. */
const oldestOf = (range = ">=0"): readonly number[] =>
  (/(?:^|\|\| ?)>= ?(\d+)(?:\.(\d+))?/.exec(range) ?? [range, "Infinity"]).slice(1).map((part = "0") => Number(part));

describe("Node", () => {
  it.each(published)(
    "of $name is the oldest that Pi takes, and none of its dependencies asks for a newer one",
    (member) => {
      const { engines, dependencies = {}, folder } = member;
      const newer = Object.keys(dependencies).filter((name) => {
        const needed = readJson(join(folder, "node_modules", name, "package.json")) as Member;
        const [major = 0, minor = 0] = oldestOf(needed.engines?.node);
        const [mostMajor = 0, mostMinor = 0] = oldestOf(oldestNode);
        return major > mostMajor || (major === mostMajor && minor > mostMinor);
      });

      expect(engines).toEqual({ node: oldestNode });
      expect(newer).toEqual([]);
    },
  );
});

describe("direct dependencies", () => {
  it.each(published)("$name has those of its row", ({ name, dependencies = {}, optionalDependencies = {} }) => {
    expect(Object.keys({ ...dependencies, ...optionalDependencies }).sort()).toEqual(runtimeDependencies[name]);
  });

  it.each([workspace, ...members])("$name names exact versions of other people's packages", (member) => {
    const { dependencies, devDependencies, optionalDependencies } = member;
    const loose = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
      .filter(([name, version]) => !(name.startsWith("@cm/") && version === "workspace:^"))
      .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version));

    expect(loose).toEqual([]);
  });

  it.each([workspace, ...members])("$name runs nothing when it is installed", ({ scripts = {} }) => {
    expect(Object.keys(scripts).filter((name) => /^((pre|post)?install|prepare|prepublish)$/.test(name))).toEqual([]);
  });
});

describe("lockfile", () => {
  it("pins every package by hash and names no place to fetch it from", () => {
    const lockfile = readFileSync(join(root, "pnpm-lock.yaml"), "utf8");
    const resolutions = [...lockfile.matchAll(/^ {4}resolution: (.*)$/gm)].map(([, resolution]) => resolution);

    expect(resolutions.length).toBeGreaterThan(0);
    expect(resolutions.filter((resolution) => !/^\{integrity: sha512-[\w+/=]+\}$/.test(resolution ?? ""))).toEqual([]);
  });
});

/** Folders that every machine has say nothing about this one. */
const common = [parse(root).root, tmpdir(), homedir(), dirname(homedir())];

/** This working copy and what lies beside it: places that exist only on this machine. */
function placesOfThisMachine(): string[] {
  const around = dirname(root);
  if (around === parse(root).root) return [];
  return common.includes(around) ? [root] : readdirSync(around).map((name) => join(around, name));
}

describe("committed files", () => {
  // Found out at run time: written down, they would be what this test looks for.
  it.each([
    ["the registry", [new URL(registryUrl()).host]],
    ["a place of this machine", placesOfThisMachine()],
  ])("do not name %s", (_what, names) => {
    const found = committedFiles().filter((path) => {
      const text = readFileSync(join(root, path), "latin1");
      return names.some((name) => text.split(name).some((rest, index) => index > 0 && !/^[\w-]/.test(rest)));
    });

    expect(found).toEqual([]);
  });
});
