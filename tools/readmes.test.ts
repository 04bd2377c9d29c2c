// @module-tag xtdb
// @module-tag long
// Verifies: what a README shows runs, and what it names is there.
import { execFile } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findPostgres, type PrivatePostgres, startPrivatePostgres } from "../packages/private-postgres/src/index.ts";
import { putSample } from "../packages/sources-s3/test/server/sample.ts";
import { startNode, whatIsMissing, type XtdbNode } from "../xtdb/launch/index.ts";
import { requirement } from "./requirement.ts";
import { canServe } from "./s3-server/prepare.ts";
import { type S3Server, startS3Server } from "./s3-server/start-server.ts";
import { published, root } from "./workspace.ts";

const packages = published.map(({ folder }) => basename(folder));
/** Every package that others may import can be imported from here, as from a user's project; a program from itself. */
const projectFor = (name: string): string =>
  join(root, existsSync(join(root, "apps/experiments/node_modules/@cm", name)) ? "apps/experiments" : folderOf(name));

const folderOf = (name: string): string => published.find(({ folder }) => basename(folder) === name)?.folder ?? "";
const readmePath = (name: string): string => join(root, folderOf(name), "README.md");
const readmeOf = (name: string): string => readFileSync(readmePath(name), "utf8");
const blocksOf = (readme: string, language: string): readonly string[] =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(([, block]) => block ?? "");

/** Programs that name one of these talk to a server, whose address it is. */
const nodeVariable = "CM_XTDB_URL";
const s3Variable = "CM_S3_URL";
const postgresVariable = "CM_POSTGRES_URL";
const names = (name: string, variable: string): boolean =>
  existsSync(readmePath(name)) && readmeOf(name).includes(`process.env.${variable}`);
const alone = packages.filter(
  (name) => ![nodeVariable, s3Variable, postgresVariable].some((variable) => names(name, variable)),
);

function programRuns(name: string, environment: () => NodeJS.ProcessEnv): void {
  it("has one program of at most 20 lines that prints what it says", async () => {
    const [program = "", ...others] = blocksOf(readmeOf(name), "js");
    const [said = ""] = blocksOf(readmeOf(name), "text");

    const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: projectFor(name),
      env: environment(),
    });

    expect(others).toEqual([]);
    expect(program.trimEnd().split("\n").length).toBeLessThanOrEqual(20);
    expect({ stdout, stderr }).toEqual({ stdout: said, stderr: "" });
  });
}

describe.each(alone)("the README of %s", (name) => {
  programRuns(name, () => process.env);
});

const given = process.env[nodeVariable];
const missing = given === undefined ? whatIsMissing() : undefined;
requirement(missing ?? "an XTDB node", () => missing === undefined)("with a node of XTDB", () => {
  let node: XtdbNode | undefined;
  beforeAll(async () => {
    if (given === undefined) node = await startNode({ quick: true });
  });
  afterAll(async () => node?.stop());

  describe.each(packages.filter((name) => names(name, nodeVariable)))("the README of %s", (name) => {
    programRuns(name, () => ({ ...process.env, [nodeVariable]: given ?? node?.url }));
  });
});

requirement("Postgres", () => findPostgres() !== undefined)("with a Postgres", () => {
  let server: PrivatePostgres | undefined;
  beforeAll(async () => {
    server = await startPrivatePostgres();
  });
  afterAll(async () => server?.stop());

  describe.each(packages.filter((name) => names(name, postgresVariable)))("the README of %s", (name) => {
    programRuns(name, () => ({ ...process.env, [postgresVariable]: server?.url }));
  });
});

const s3Given = process.env[s3Variable];
const isServed = s3Given !== undefined || (await canServe());
requirement("Java and Maven", () => isServed)("with an S3 server", () => {
  let server: S3Server | undefined;
  beforeAll(async () => {
    if (s3Given === undefined) server = await startS3Server();
    await putSample(s3Given ?? server?.url ?? "");
  });
  afterAll(async () => server?.stop());

  describe.each(packages.filter((name) => names(name, s3Variable)))("the README of %s", (name) => {
    programRuns(name, () => ({ ...process.env, [s3Variable]: s3Given ?? server?.url }));
  });
});

describe.each(packages)("the README of %s", (name) => {
  it("says how to install it, what bounds it has, what it promises and what it leaves to others", () => {
    const readme = readmeOf(name);

    expect(readme).toMatch(new RegExp(`^npm install .*@cm/${name}\\b`, "m"));
    for (const section of ["## Limits", "## Guarantees", "## What it does not do"]) expect(readme).toContain(section);
  });

  it("names only tests that exist", () => {
    const named = [...readmeOf(name).matchAll(/`((?:[\w-]+\/)*[\w.-]+\.test\.ts)`/g)].map(([, file]) => file ?? "");
    const existing = globSync("test/**/*.test.ts", { cwd: join(root, folderOf(name)) }).map((path) => basename(path));
    // One of another package stands there with its whole path.
    const isThere = (file: string): boolean =>
      file.startsWith("packages/") ? existsSync(join(root, file)) : existing.includes(basename(file));

    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((file) => !isThere(file))).toEqual([]);
  });
});

describe("the papers of the workspace", () => {
  const papers = globSync(
    "{README.md,CONTRIBUTING.md,docs/**/*.md,packages/*/README.md,apps/*/README.md,xtdb/README.md}",
    {
      cwd: root,
    },
  );

  it.each(papers)("%s links only to what is there", (paper) => {
    const text = readFileSync(join(root, paper), "utf8").replace(/```.*?```/gs, "");

    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link]) => link ?? "");

    expect(links.filter((link) => !existsSync(join(root, paper, "..", link)))).toEqual([]);
  });
});
