// @module-tag process
// Verifies: F14: whatever our programs leave behind may be read by its owner alone, also where the user's umask allows more.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { requirement } from "./requirement.ts";
import { root } from "./workspace.ts";

const folder = mkdtempSync(join(tmpdir(), "cm private "));
const at = (...parts: readonly string[]): string => join(folder, ...parts);
const cli = join(root, "packages/cli/dist/cm.js");
const experiments = join(root, "apps/experiments/dist/cli.js");

/** A writer that is killed with its files open: a store and a state cache, in process and in threads. */
const killed = `
  import { leaseId, sealDocument } from ${url("packages/object-model")};
  import { openSqliteStore, openSqliteStoreInThread, openStateCache } from ${url("packages/store-sqlite")};
  const [here, there, cacheHere, cacheThere] = process.argv.slice(1);
  const payload = { content: null, session_ref: "session:s", owner: "o", acquired_at: 1, expires_at: 1 };
  const write = { document: sealDocument({ type: "lease", id: leaseId("s") }, payload), expect: "any" };
  const stores = [openSqliteStore({ path: here }), await openSqliteStoreInThread({ path: there })];
  for (const store of stores) await store.commit([write]);
  openStateCache({ path: cacheHere });
  await stores[1].openStateCache({ path: cacheThere });
  process.kill(process.pid, "SIGKILL");
`;

function url(name: string): string {
  return JSON.stringify(pathToFileURL(join(root, name, "dist/index.js")).href);
}

/** Runs a program under a umask that takes nothing away. */
function run(...command: readonly string[]): void {
  const words = ["-c", 'umask 0; exec "$@"', "sh", process.execPath, ...command];
  execFileSync("/bin/sh", words, { cwd: folder, stdio: "pipe", env: { PATH: process.env.PATH, HOME: folder } });
}

/** All files below a folder, and their modes. */
function modesBelow(path: string): ReadonlyMap<string, string> {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map((entry) => {
      const file = join(entry.parentPath, entry.name);
      return [file.slice(folder.length + 1), (statSync(file).mode & 0o777).toString(8)];
    }),
  );
}

const hasModes = () => process.platform !== "win32" && existsSync("/bin/sh");

requirement("a system with file modes", hasModes)("what our programs leave behind", () => {
  let modes: ReadonlyMap<string, string> = new Map();

  beforeAll(() => {
    run(
      experiments,
      "replay",
      "--generated",
      "1:12",
      "--policy",
      "log",
      "--prices",
      "anthropic,none",
      "--out",
      "replayed",
    );
    run(experiments, "replay", "--generated", "1:12", "--policy", "plain", "--out", "again", "--dump", "dump.jsonl");
    const store = databaseIn("replayed");
    const session = firstSession(store);
    run(cli, "--store", store, "export", session, "-o", "bundle.cmb", "--gzip");
    run(cli, "--store", "imported.sqlite", "import", "--create", "bundle.cmb");
    run(cli, "--store", "imported.sqlite", "fork", `${session}@1`, "--as", "fork");
    run(cli, "--store", "imported.sqlite", "compact");
    run(cli, "--store", "imported.sqlite", "doctor", "--recover", "recovered.sqlite");
    const files = ["here.sqlite", "there.sqlite", "here.cache", "there.cache"].map((name) => at(name));
    expect(() => run("--input-type=module", "-e", killed, ...files)).toThrow();
    modes = modesBelow(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("is for its owner alone, files beside databases included", () => {
    expect(Object.fromEntries([...modes].filter(([, mode]) => mode !== "600"))).toEqual({});
  });

  it("is all there: reports, figures, dumps, databases, logs, caches, bundles", () => {
    const names = [...modes.keys()].join("\n");

    for (const name of ["replayed/report.html", "replayed/report-none.html", "replayed/results.json", "dump.jsonl"])
      expect(names).toContain(name);
    for (const name of ["bundle.cmb", "imported.sqlite", "recovered.sqlite"]) expect(names).toContain(name);
    for (const name of ["here.sqlite", "there.sqlite", "here.cache", "there.cache"])
      for (const beside of ["", "-wal", "-shm"]) expect(names).toContain(name + beside);
  });
});

function databaseIn(name: string): string {
  const found = readdirSync(at(name)).find((file) => file.endsWith(".sqlite"));
  if (found === undefined) throw new Error(`no database in ${name}`);
  return join(name, found);
}

function firstSession(store: string): string {
  const words = [cli, "--store", store, "--json", "sessions"];
  const [line = "{}"] = execFileSync(process.execPath, words, {
    cwd: folder,
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: folder },
  }).split("\n");
  return String(JSON.parse(line).session);
}
