// @module-tag process
// Verifies: SSOT 2.8, 3.11, decision 87, T7: what was typed is erased from a real file, and its session lives on.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "@cm/store-sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inCampaign } from "../../../../tools/in-campaign.ts";
import { inProcess } from "../support/in-process.ts";
import { jsonLines } from "../support/run-cm.ts";
import { tracesOf } from "../support/traces.ts";
import { canary, open, steps, takeStep, typeSecret } from "../support/typed-secret.ts";

let folder: string;
const at = (name: string) => join(folder, name);
const into = (name: string, ...args: string[]) => inProcess(["--store", at(name), ...args]);
const cm = (...args: string[]) => into("objects.sqlite", ...args);
const numbers = Array.from({ length: steps }, (_, n) => n);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cm-typed-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe.each([0, 2, steps - 1])("cm erase typed@%i", (n) => {
  beforeEach(async () => {
    const store = openSqliteStore({ path: at("objects.sqlite") });
    await typeSecret(store, n);
    // Searched for, so that it would be in the index if it could be.
    await store.find({ session: "typed", text: canary });
    await store.close();
  });

  it("leaves nothing in any byte, and the session verifies", async () => {
    expect(tracesOf(bytesOf("objects.sqlite"), canary)).toContain("deflate");

    const { status, stdout, stderr } = await cm("erase", `typed@${n}`, "--reason", "a key leaked", "--yes");

    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(stdout).toMatch(new RegExp(`^Erased what was typed in \\d steps? at .*Z:\n {2}typed@${n}\n`));
    expect(tracesOf(bytesOf("objects.sqlite"), canary)).toEqual([]);
    const found = jsonLines((await cm("--json", "verify")).stdout);
    expect(found.at(-1)).toMatchObject({ damaged: 0 });
    expect(found).toContainEqual(expect.objectContaining({ id: `step:typed:${n}`, problem: "erased", damage: false }));
  });

  // In the middle there are steps and forks on both sides; a campaign goes on everywhere.
  const alsoHere = n === 2 ? it : inCampaign;
  alsoHere("lets the session and its forks go on, be rebuilt, exported and imported", async () => {
    await cm("erase", `typed@${n}`, "--reason", "a key leaked", "--yes");

    for (const session of ["typed", ...numbers.map((one) => `fork-${one}`)]) {
      await goOn("objects.sqlite", session);
      const exported = await cm("export", session, "-o", at(`${session}.cmb`));
      expect(exported).toMatchObject({ status: 0 });
      expect(readFileSync(at(`${session}.cmb`)).includes(canary)).toBe(false);
      const imported = await into(`${session}.sqlite`, "import", "--create", at(`${session}.cmb`));
      expect(imported).toMatchObject({ status: 0 });
      await goOn(`${session}.sqlite`, session);
    }
    expect(await into("typed.sqlite", "verify")).toMatchObject({ status: 0, stdout: "" });
    for (const one of numbers) {
      const here = jsonLines((await cm("--json", "at", `typed@${one}`, "--prompt")).stdout)[0];
      const there = jsonLines((await into("typed.sqlite", "--json", "at", `typed@${one}`, "--prompt")).stdout)[0];
      expect(here).toMatchObject({ complete: one < n, holds: one < n });
      expect(there).toEqual(here);
    }
    expect((await cm("verify")).status).toBe(0);
  });
});

it("cm import names the steps that a bundle has in another form", async () => {
  const store = openSqliteStore({ path: at("objects.sqlite") });
  await typeSecret(store, 1);
  await store.close();
  await cm("erase", "typed@1", "--reason", "a key leaked", "--yes");
  await cm("export", "typed", "-o", at("typed.cmb"));

  const checked = await cm("import", "--check", at("typed.cmb"));
  const imported = await into("other.sqlite", "--json", "import", "--create", at("typed.cmb"));

  expect(checked.stderr).toContain("typed text was erased, and only the bundle's maker knows");
  expect(checked.stderr).toContain("step:typed:1");
  expect(JSON.parse(imported.stdout).replacedSteps).toContain("step:typed:1");
});

it("cm erase asks, with how much was typed, and says it where nothing is left", async () => {
  const store = openSqliteStore({ path: at("objects.sqlite") });
  await typeSecret(store, 1);
  await store.close();
  const words = ["--store", at("objects.sqlite"), "erase", "typed@1", "--reason", "a key leaked"];

  const declined = await inProcess(words, { typed: true, input: "no\n" });
  const accepted = await inProcess([...words, "--keep-answers"], { typed: true, input: "yes\n" });
  const whole = await inProcess([...words, "--yes"]);
  const again = await inProcess([...words, "--yes"]);
  const missing = await cm("erase", "typed@1", "typed@99", "--reason", "r", "--yes");
  const pointless = await cm("erase", "t1", "--session", "typed", "--keep-answers", "--reason", "r", "--yes");

  expect(declined.stderr).toMatch(/ {2}typed@1 {2}typed: \d+ characters, answered: \d+ characters\n/);
  expect(declined.status).not.toBe(0);
  expect(accepted.stderr).toMatch(/ {2}typed@1 {2}typed: \d+ characters\n/);
  expect([accepted.status, whole.status, again.status]).toEqual([0, 0, 0]);
  expect(again.stdout).toBe("Nothing was left to erase: what was named had been erased before.\n");
  expect(missing).toMatchObject({ status: 3, stderr: expect.stringContaining("Session typed has no step 99") });
  expect(pointless).toMatchObject({ status: 2, stderr: expect.stringContaining("--keep-answers is about steps") });
  expect((await cm("verify")).stderr).toMatch(/What was typed in \d steps? was erased\.\n$/);
});

async function goOn(name: string, session: string): Promise<void> {
  const store = openSqliteStore({ path: at(name) });
  await takeStep(await open(store, session), "Go on.");
  await store.close();
}

function bytesOf(name: string): Buffer {
  const files = ["", "-wal", "-shm"].map((end) => at(`${name}${end}`)).filter((path) => existsSync(path));
  return Buffer.concat(files.map((path) => readFileSync(path)));
}
