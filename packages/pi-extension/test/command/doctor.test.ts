// Verifies: issue 8.6: /cm doctor finds what is wrong, says what to do about it and how to leave.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { checkFile } from "../../src/command/doctor/check-file.ts";
import { checkNode, checkPi } from "../../src/command/doctor/check-versions.ts";
import { runningPiVersion } from "../../src/command/doctor/running-pi.ts";
import { commandWorld } from "../support/command-world.ts";
import { away, managedWorld } from "../support/managed-over.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A file of 2,048 bytes in a folder of its own, with these modes. */
function fileWith(modes: { readonly file: number; readonly folder: number }): string {
  const folder = mkdtempSync(join(tmpdir(), "cm-doctor-"));
  folders.push(folder);
  const path = join(folder, "objects.sqlite");
  writeFileSync(path, "x".repeat(2_048));
  chmodSync(path, modes.file);
  chmodSync(folder, modes.folder);
  return path;
}

it("finds everything in order, and says how to leave", async () => {
  const { managed } = await managedWorld();
  const path = fileWith({ file: 0o600, folder: 0o700 });

  const { text = "" } = (await commandWorld(managed, { store: { kind: "sqlite", path } }).type("doctor")) ?? {};

  const lines = text.split("\n");
  // No Pi runs this test.
  const doubts = lines.slice(0, -1).filter((line) => !/^ok |^look +pi |^ /.test(line));
  expect(doubts).toEqual([]);
  for (const about of ["node", "settings", "store", "answer", "health", "size", "access", "file", "folder"]) {
    expect(text).toMatch(new RegExp(`^ok +${about} `, "m"));
  }
  expect(text).toContain("2.00 KiB");
  expect(text).toContain("layout log, preset default");
  expect(lines.at(-1)).toBe("To leave: pi remove npm:@cm/pi-extension, then delete /nowhere/agent/context-manager.");
});

it("names the reason while the database is away, and what waits for it", async () => {
  const { managed } = await managedWorld(away);

  const { text = "" } = (await commandWorld(managed).type("doctor")) ?? {};

  expect(text).toMatch(/^bad +answer +The database does not answer: it is locked/m);
  expect(text).toMatch(/^look +health +away: it is locked/m);
  expect(text).toMatch(/^look +waiting +3 steps not written yet/m);
  expect(text).toMatch(/^look +file +not there yet/m);
});

it("names each setting that could not be understood, and what XTDB keeps", async () => {
  const { managed } = await managedWorld({ storePlace: "http://127.0.0.1:3000" });
  const store = { kind: "xtdb", urls: ["http://127.0.0.1:3000"], namespace: "" } as const;

  const settings = { store, layout: "ssot", problems: ["preset is not known; default is used."] } as const;
  const { text = "" } = (await commandWorld(managed, settings).type("doctor")) ?? {};

  expect(text).toMatch(/^look +settings +preset is not known; default is used\.$/m);
  expect(text).toMatch(/^ok +settings +layout ssot$/m);
  expect(text).toMatch(/^ok +store +http:\/\/127\.0\.0\.1:3000$/m);
  expect(text).not.toMatch(/^\w+ +(size|file|folder) /m);
  expect(text).toMatch(/The objects in XTDB stay there\.$/);
});

it.each([
  [{ file: 0o644, folder: 0o700 }, "file", "chmod 600"],
  [{ file: 0o600, folder: 0o777 }, "folder", "chmod 700"],
])("sees that others may read or replace the store: %j", (modes, about, next) => {
  const doubts = checkFile(fileWith(modes)).filter(({ status }) => status === "look");

  expect(doubts.map((line) => line.about)).toEqual([about]);
  expect(doubts[0]?.next).toContain(next);
});

it.each([
  ["lies below a file", (path: string) => join(path, "objects.sqlite")],
  ["is a folder", (path: string) => dirname(path)],
])("says so where the store %s", (_what, placeOf) => {
  const lines = checkFile(placeOf(fileWith({ file: 0o600, folder: 0o700 })));

  expect(lines.map(({ status }) => status)).toEqual(["bad"]);
});

it.each([
  ["pi.js", { name: "@earendil-works/pi-coding-agent", version: "0.87.1" }, "0.87.1"],
  ["dist/bundle/cli.js", { name: "@earendil-works/pi-coding-agent", version: "1.5.2" }, "1.5.2"],
  ["cli.js", { name: "another", version: "1.0.0" }, undefined],
  ["cli.js", { name: "@earendil-works/pi-coding-agent", version: 7 }, undefined],
  ["cli.js", "no package", undefined],
])("reads the version of the Pi that runs from the package of %s: %j", (program, manifest, version) => {
  const folder = mkdtempSync(join(tmpdir(), "cm-running-pi-"));
  folders.push(folder);
  mkdirSync(dirname(join(folder, program)), { recursive: true });
  writeFileSync(join(folder, program), "");
  writeFileSync(join(folder, "package.json"), typeof manifest === "string" ? manifest : JSON.stringify(manifest));
  symlinkSync(join(folder, program), join(folder, "pi"));

  expect(runningPiVersion(join(folder, "pi"))).toBe(version);
  expect(runningPiVersion(join(folder, "no such program"))).toBeUndefined();
});

it.each([
  ["22.19.0", "ok"],
  ["22.18.9", "bad"],
  ["23.11.1", "bad"],
  ["20.19.0", "bad"],
  ["25.0.0", "ok"],
])("takes Node %s for %s", (version, status) => {
  expect(checkNode(version).status).toBe(status);
});

it.each([
  ["0.87.1", "ok"],
  ["1.5.2", "ok"],
  ["0.86.9", "look"],
  [undefined, "look"],
])("takes Pi %s for %s", (version, status) => {
  expect(checkPi(version).status).toBe(status);
});
