// @module-tag process
// Verifies: T7, T11: bundles, forks, erasure and verification from the command line.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { openSqliteStore } from "@cm/store-sqlite";
import { describe, expect, it } from "vitest";
import { inProcess, type TerminalOptions } from "../support/in-process.ts";
import { jsonLines } from "../support/run-cm.ts";
import { sampleFolder } from "../support/sample-file.ts";
import { fillSample, firstNotes } from "../support/sample-store.ts";
import * as shapes from "../support/shapes.ts";

const sample = sampleFolder();
const cm = (...args: string[]) => inProcess(["--store", sample.store, ...args]);
const into = (name: string, args: readonly string[], options: TerminalOptions = {}) =>
  inProcess(["--store", sample.at(name), ...args], options);

/** A store of its own, for what changes it. */
async function ownStore(name: string): Promise<string> {
  const store = openSqliteStore({ path: sample.at(name) });
  await fillSample(store);
  await store.close();
  return sample.at(name);
}

describe("cm export and cm import", () => {
  it("carry a session into a new store, which then says the same", async () => {
    const [receipt] = jsonLines((await cm("--json", "export", "alpha", "-o", sample.at("a.cmb"), "--gzip")).stdout);
    const { status, stdout } = await into("new.sqlite", ["--json", "import", "--create", sample.at("a.cmb")]);

    expect(shapes.exported.parse(receipt).bytes).toBe(statSync(sample.at("a.cmb")).size);
    expect(status).toBe(0);
    expect(shapes.imported.parse(JSON.parse(stdout))).toMatchObject({ session: "alpha", outcome: "imported" });
    expect((await into("new.sqlite", ["at", "alpha@1", "--prompt"])).stdout).toBe(
      (await cm("at", "alpha@1", "--prompt")).stdout,
    );
    expect((await into("new.sqlite", ["verify"])).status).toBe(0);
    if (process.platform !== "win32") expect(statSync(sample.at("new.sqlite")).mode & 0o777).toBe(0o600);
  });

  it("make a file that only its owner may read, and leave nothing beside it", async () => {
    await cm("export", "beta", "-o", sample.at("b.cmb"));

    if (process.platform !== "win32") expect(statSync(sample.at("b.cmb")).mode & 0o777).toBe(0o600);
    expect(readdirSync(sample.path).filter((name) => name.includes("partial"))).toEqual([]);
  });

  it("leave an older file as it was when the export fails", async () => {
    writeFileSync(sample.at("kept.cmb"), "kept");

    const { status } = await cm("export", "gone", "-o", sample.at("kept.cmb"));

    expect(status).toBe(3);
    expect(readFileSync(sample.at("kept.cmb"), "utf8")).toBe("kept");
  });

  it("go through pipes", async () => {
    const { stdout } = await cm("export", "alpha");

    const check = await into("piped.sqlite", ["import", "-", "--check"], { input: stdout });
    const imported = await into("piped.sqlite", ["import", "-", "--create"], { input: stdout });
    const again = await into("piped.sqlite", ["import", "-"], { input: stdout });

    expect(check.stdout).toMatch(/^The bundle is sound: session alpha, 3 steps, [\d.]+ KiB\.\n$/);
    expect(imported.stdout).toMatch(/^Imported session alpha \(\d+ versions\)\.\n$/);
    expect(again.stdout).toBe("The store has all of session alpha already.\n");
  });

  it("refuse a broken bundle with 4, and make no store for it", async () => {
    const { stdout } = await cm("export", "alpha");

    const { status, stderr } = await into("none.sqlite", ["import", "-", "--create"], { input: stdout.slice(0, -200) });

    expect(status).toBe(4);
    expect(stderr).toMatch(/^cm: .*bundle.*\.\n$/i);
    expect(existsSync(sample.at("none.sqlite"))).toBe(false);
  });

  it("make a store only where they are told to", async () => {
    const { stdout } = await cm("export", "alpha");

    const { status, stderr } = await into("none.sqlite", ["import", "-"], { input: stdout });

    expect(status).toBe(5);
    expect(stderr).toMatch(/none\.sqlite is not there; add --create to make it, /);
    expect(existsSync(sample.at("none.sqlite"))).toBe(false);
  });
});

describe("cm fork", () => {
  it("begins a session at a step, which knows where it came from", async () => {
    const store = await ownStore("fork.sqlite");

    const forked = await inProcess(["--store", store, "--json", "fork", "al@0", "--as", "gamma"]);
    const [session] = jsonLines((await inProcess(["--store", store, "--json", "show", "gamma"])).stdout);

    expect(shapes.forked.parse(JSON.parse(forked.stdout))).toEqual({
      session: "gamma",
      from: { session: "alpha", n: 0 },
    });
    await inProcess(["--store", store, "fork", "alpha@0", "--as", "alps"]);
    const { status, stderr } = await inProcess(["--store", store, "show", "al"]);

    expect({ status, stderr }).toEqual({
      ...{ status: 2, stderr: "cm: Several sessions begin with al; name one of them:\nalpha\nalps\n" },
    });
    expect(session).toMatchObject({ forkedFrom: { session: "alpha", n: 0 }, objects: { index: 2 } });
  });
});

describe("cm erase", () => {
  it("takes an object for good, says what else was hit, and leaves the rest sound", async () => {
    const store = await ownStore("erase.sqlite");
    const run = (...args: string[]) => inProcess(["--store", store, ...args]);

    const { status, stdout } = await run("--json", "erase", "notes.txt", "--reason", "a secret", "--yes");

    const receipt = shapes.erased.parse(JSON.parse(stdout));
    expect({ status, erased: receipt.erased.length }).toEqual({ status: 0, erased: 1 });
    expect(receipt.shared.length).toBeGreaterThan(0);
    expect((await run("history", receipt.erased[0] ?? "")).stdout).toMatch(/erased .*: a secret\n/);
    expect((await run("show", "alpha", "f1")).stderr).toContain("It has no text: it was erased.\n");
    expect((await run("at", "alpha@1", "--prompt")).stderr).toMatch(/^Erased text is replaced by marks/);
    expect((await run("verify")).status).toBe(0);
    expect((await run("compact")).status).toBe(0);
    expect(readFileSync(store).includes(firstNotes)).toBe(false);
  });

  it("takes all files of a folder, and the calls that showed them", async () => {
    const store = await ownStore("below.sqlite");
    const words = ["--below", "/project/", "--calls", "--reason", "injected", "--yes"];

    const { stdout } = await inProcess(["--store", store, "--json", "erase", ...words]);
    const { stdout: left } = await inProcess(["--store", store, "--json", "show", "alpha"]);

    expect(shapes.erased.parse(JSON.parse(stdout)).erased).toHaveLength(7);
    const objects = jsonLines(left).slice(1);
    expect(objects.map((line) => shapes.listedObject.parse(line).textless)).toEqual(objects.map(() => "erased"));
  });

  it("does so after a yes on the terminal", async () => {
    const store = await ownStore("asked.sqlite");

    const { status, stdout, stderr } = await inProcess(
      ["--store", store, "erase", "f1", "--session", "beta", "--reason", "r"],
      { typed: true, input: "yes\n" },
    );

    expect(status).toBe(0);
    expect(stdout).toMatch(/^Erased 1 object at .*Z:\n {2}[0-9a-f]{64}\nThese lost versions, too, /);
    expect(stderr).toContain("Copies and backups of the store, exported bundles, and quotes");
  });
});

describe("cm verify", () => {
  it("finds nothing in a sound store", async () => {
    const [summary] = jsonLines((await cm("--json", "verify")).stdout);

    expect(shapes.verified.parse(summary)).toMatchObject({ damaged: 0, erased: 0 });
  });

  it("names every damaged object and ends with 1", async () => {
    const store = await ownStore("damaged.sqlite");
    const database = new DatabaseSync(store);
    const hurt = "UPDATE blob SET data = CAST(replace(CAST(data AS TEXT), 'three', 'eerht') AS BLOB) WHERE enc = 0";
    database.exec(`DROP TRIGGER blob_fixed; ${hurt}`);
    database.close();

    const { status, stdout } = await inProcess(["--store", store, "--json", "verify"]);

    const lines = jsonLines(stdout);
    const findings = lines.slice(0, -1).map((line) => shapes.finding.parse(line));
    expect(status).toBe(1);
    expect(findings.filter(({ damage }) => damage).length).toBeGreaterThanOrEqual(2);
    expect(findings.map(({ id }) => id)).toContain("call-alpha-1");
    expect(shapes.verified.parse(lines.at(-1)).damaged).toBe(findings.filter(({ damage }) => damage).length);
    expect((await inProcess(["--store", store, "verify"])).stdout).not.toContain("eerht");
  });

  it("is where a prompt and a past session send those who ask for what was lost, which nothing calls erased", async () => {
    const store = await ownStore("lost.sqlite");
    const database = new DatabaseSync(store);
    const version = "(SELECT vid FROM version JOIN object USING (oid) WHERE id = 'system_prompt:alpha')";
    database.exec(`PRAGMA foreign_keys = OFF; DROP TRIGGER version_kept; DELETE FROM version WHERE vid = ${version}`);
    database.close();
    const run = (...args: string[]) => inProcess(["--store", store, ...args]);

    const prompt = await run("at", "alpha@1", "--prompt");
    const past = await run("at", "alpha@1");

    expect(prompt).toMatchObject({ status: 1, stdout: expect.not.stringContaining("erased") });
    expect(prompt.stderr).toBe(
      "The store has lost 1 object, and marks stand in its place: this is NOT the prompt as it was sent. Run cm verify.\n",
    );
    expect(past.stdout).toMatch(/note +something on the way to this step was lost; run cm verify\n/);
    expect((await run("verify")).stdout).toContain("system_prompt:alpha is not there");
  });
});

describe("cm compact and cm upgrade", () => {
  it("say what they did", async () => {
    const store = await ownStore("old.sqlite");

    expect((await inProcess(["--store", store, "upgrade"])).stdout).toBe(`${store} has the schema of this version.\n`);
    expect(
      shapes.compacted.parse(JSON.parse((await inProcess(["--store", store, "--json", "compact"])).stdout)).store,
    ).toBe(store);
  });

  it("are for SQLite files alone", async () => {
    for (const command of ["compact", "upgrade"]) {
      expect(await inProcess(["--store", "http://127.0.0.1:1", command])).toMatchObject({ status: 2, stdout: "" });
    }
  });
});
