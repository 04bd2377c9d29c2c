// @module-tag pi
// @module-tag long
import { execFile, execFileSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canRunPi, piVersions } from "../packages/scripted-models/src/real-pi.ts";
import { inCampaign } from "./in-campaign.ts";
import { type Stay, stayIn } from "./installed-in-pi.ts";
import { type LoopbackRegistry, openLoopbackRegistry } from "./loopback-registry.ts";
import { canRunNode, prepareNode } from "./nodes/prepare-node.ts";
import { registryUrl } from "./npm-registry.ts";
import { requirement } from "./requirement.ts";
import { type Member, root } from "./workspace.ts";

// With a space in it, since a user's folder may have one.
const folder = mkdtempSync(join(tmpdir(), "cm release "));
const clone = join(folder, "clone");
const userConfig = join(folder, "npmrc");
const env = {
  ...process.env,
  ...{ GIT_AUTHOR_NAME: "Releaser", GIT_AUTHOR_EMAIL: "releaser@localhost" },
  ...{ GIT_COMMITTER_NAME: "Releaser", GIT_COMMITTER_EMAIL: "releaser@localhost" },
  npm_config_userconfig: userConfig,
  // A silent run of the tests still shows the cause of a failure.
  npm_config_loglevel: "error",
};
const canRun = await Promise.all(piVersions.map(canRunPi));
const oldestNode = (await canRunNode("22.19.0")) ? await prepareNode("22.19.0") : undefined;
const isCampaign = process.env.CM_CAMPAIGN === "1";
let registry: LoopbackRegistry;

const git = (...args: string[]): string => execFileSync("git", args, { cwd: clone, env, encoding: "utf8" }).trim();

/** Runs npm beside this process, never inside a blocking call: the registry it talks to lives here. */
function npm(cwd: string, ...args: string[]): Promise<{ status: number; output: string }> {
  return new Promise((resolve) => {
    execFile("npm", args, { cwd, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      resolve({ status: error === null ? 0 : Number(error.code), output: `${stdout}${stderr}` });
    });
  });
}

const npmRelease = (...args: string[]) =>
  npm(clone, "run", "release", "--silent", "--", "--registry", registry.url, ...args);

function manifests(): { name: string; version: string; private?: boolean }[] {
  return globSync("{packages,apps}/*/package.json", { cwd: clone }).map((path) =>
    JSON.parse(readFileSync(join(clone, path), "utf8")),
  );
}

const published = () => manifests().filter((manifest) => manifest.private !== true);

interface Packument {
  readonly versions: Readonly<Record<string, Pick<Member, "dependencies" | "peerDependencies">>>;
}

/** What the registry has of a package. */
async function packument(name: string): Promise<Packument | undefined> {
  const response = await fetch(`${registry.url}/${name}`);
  return response.status === 404 ? undefined : ((await response.json()) as Packument);
}

const versionsOf = async (name: string): Promise<string[]> => Object.keys((await packument(name))?.versions ?? {});

/** A new version is a build of its own, also of what builds on it: these are no other package's, and one is Pi's. */
const leaves = ["@cm/cli", "@cm/pi-extension"];

/** The packages that get a version from the changesets that wait in the clone. */
const waiting = () => published().filter(({ name }) => isCampaign || leaves.includes(name));

/** Commits a changeset for packages, so that there is something to release whatever waits in the repository. */
function commitChangeset(packages: readonly { name: string }[]): void {
  const lines = packages.map(({ name }) => `"${name}": patch`);
  writeFileSync(join(clone, ".changeset", "trial.md"), `---\n${lines.join("\n")}\n---\n\nA trial release.\n`);
  git("add", ".changeset");
  git("commit", "--quiet", "--message", "Add a changeset");
}

/** Leaves only the versions of the leaves to be released; in the campaign that is everything that waits. */
function commitWhatWaits(): void {
  if (isCampaign) return;
  for (const path of globSync(".changeset/!(README).md", { cwd: clone })) rmSync(join(clone, path));
  commitChangeset(waiting());
}

beforeAll(async () => {
  registry = await openLoopbackRegistry(registryUrl());
  writeFileSync(userConfig, registry.credentials);
  execFileSync("git", ["clone", "--quiet", root, clone], { env });
  // Changesets are counted since `main`, which a clone of another branch does not have.
  git("checkout", "--quiet", "-B", "main");
  // The programs are the same; fetching them again would only take time.
  if (existsSync(join(root, ".toolchain"))) {
    symlinkSync(join(root, ".toolchain"), join(clone, ".toolchain"), "junction");
  }
  appendFileSync(join(clone, ".git", "info", "exclude"), ".toolchain\n");
  // What is built here already is not built again: Nx shares builds between clones only in a home of which it is certain, and
  // keeps them in the repository else.
  if (existsSync(join(root, ".nx", "cache"))) {
    cpSync(join(root, ".nx"), join(clone, ".nx"), { recursive: true, filter: (path) => !path.endsWith(".lock") });
  }
  commitChangeset(published());
});

afterAll(async () => {
  await registry.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("npm run release", () => {
  it("refuses a tree with uncommitted changes in one sentence", async () => {
    writeFileSync(join(clone, "forgotten.txt"), "");

    const { status, output } = await npmRelease();

    expect(status).toBe(1);
    expect(output.trim().split("\n").at(-1)).toMatch(/^The working tree has changes that are not committed; .*\.$/);
    rmSync(join(clone, "forgotten.txt"));
  });

  it("says in a dry run what would happen, and leaves tree and registry alone", async () => {
    const before = git("rev-parse", "HEAD");

    const { status, output } = await npmRelease("--dry-run");

    expect(status, output).toBe(0);
    for (const { name } of published()) {
      expect(output).toContain(name);
      expect(await versionsOf(name)).toEqual([]);
    }
    expect(git("rev-parse", "HEAD")).toBe(before);
    expect(git("status", "--porcelain")).toBe("");
  });

  it("gives what waits a version and publishes every package, the apps left out", async () => {
    commitWhatWaits();
    const before = waiting();

    const { status, output } = await npmRelease();

    expect(output).not.toMatch(/^fatal|ERR_/m);
    expect(status).toBe(0);
    for (const { name, version } of waiting()) {
      expect(before).not.toContainEqual(expect.objectContaining({ name, version }));
    }
    for (const { name, version } of published()) {
      expect(await versionsOf(name)).toEqual([version]);
      expect(git("tag")).toContain(`${name}@${version}`);
    }
    for (const { name } of manifests().filter((manifest) => manifest.private === true)) {
      expect(await versionsOf(name)).toEqual([]);
    }
    expect(readFileSync(join(clone, "packages/pi-extension/CHANGELOG.md"), "utf8")).toContain("A trial release.");
    expect(git("status", "--porcelain")).toBe("");
    expect(git("log", "-1", "--format=%s")).toBe("Release the waiting changesets");
  });

  it("publishes packages that ask for each other's versions in the registry", async () => {
    const versions = new Map(published().map(({ name, version }) => [name, version]));

    const asked = await Promise.all(
      published().map(async ({ name, version }) => {
        const { dependencies, peerDependencies } = (await packument(name))?.versions[version] ?? {};
        return Object.entries({ ...dependencies, ...peerDependencies }).filter(([other]) => other.startsWith("@cm/"));
      }),
    );

    expect(asked.flat().length).toBeGreaterThan(50);
    expect(asked.flat().filter(([other, range]) => range !== "*" && range !== `^${versions.get(other)}`)).toEqual([]);
  });

  // In every run: all of them, from tarballs, in `adopter.test.ts`; from the registry one, by the npm of Pi below.
  inCampaign("publishes packages that plain npm installs and plain Node imports", async () => {
    const empty = join(folder, "adopter");
    const names = waiting().map(({ name }) => name);
    mkdirSync(empty);
    writeFileSync(join(empty, "package.json"), '{ "private": true }');

    const { status, output } = await npm(
      empty,
      "install",
      "--no-audit",
      "--no-fund",
      "--prefer-offline",
      `--@cm:registry=${registry.url}`,
      ...names,
    );

    expect(status, output).toBe(0);
    const code = `for (const name of ${JSON.stringify(names)}) await import(name); console.log("imported");`;
    const inside = { cwd: empty, encoding: "utf8" } as const;
    expect(execFileSync(process.execPath, ["--input-type=module", "--eval", code], inside)).toBe("imported\n");
    expect(readFileSync(join(empty, "package-lock.json"), "utf8")).not.toContain("@cm/experiments");
  });

  requirement("Pi 0.87.1 and 1.5.2", () => canRun.every(Boolean))("in a real Pi", () => {
    // The older one on the oldest Node that it takes, where there is one; the newer one in the campaign.
    it.concurrent.each([["0.87.1", oldestNode], ...(isCampaign ? [["1.5.2", undefined] as const] : [])] as const)(
      "publishes an extension that Pi %s installs into an empty home, works with, and removes without a trace",
      async (version, node) => {
        expectWholeStay(await stayIn(version, registry.url, node));
      },
    );
  });

  it("changes nothing when all is released", async () => {
    const before = git("rev-parse", "HEAD");

    const { status } = await npmRelease();

    expect(status).toBe(0);
    expect(git("rev-parse", "HEAD")).toBe(before);
    for (const { name, version } of published()) expect(await versionsOf(name)).toEqual([version]);
  });
});

/** Installed, used, and gone without a trace. */
function expectWholeStay(stay: Stay): void {
  const { installed, listed, withUs, kept, removed, listedAfter, without, requests, entryTypes, left } = stay;
  expect(installed).toMatchObject({ code: 0, output: expect.stringContaining("Installed npm:@cm/pi-extension") });
  expect(listed.output).toContain("npm:@cm/pi-extension");
  expect(withUs).toMatchObject({ code: 0, stdout: "It says alpha.\n", stderr: "" });
  const sent = requests.map(({ sent }) => JSON.stringify([sent.system, sent.tools, sent.messages]));
  expect(sent).toHaveLength(3);
  expect(sent[0]).toContain("cm_context");
  expect(sent[1]).toContain("alpha");
  expect(kept).toBe(true);

  // Gone: Pi is as it was, and goes on in the session that it had with us.
  expect(removed).toMatchObject({ code: 0, output: expect.stringContaining("Removed npm:@cm/pi-extension") });
  expect(listedAfter.output).not.toContain("@cm/pi-extension");
  expect(without).toMatchObject({ code: 0, stdout: "Still alpha.\n", stderr: "" });
  expect(sent[2]).toContain("It says alpha.");
  expect(sent[2]).not.toMatch(/cm_context|\[cm: |cm-link/);
  expect(new Set(entryTypes)).toEqual(new Set(["cm-figures", "cm-link"]));
  expect(left).toBe(false);
}
