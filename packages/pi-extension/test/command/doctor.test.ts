// Verifies: SSOT 5.12: /cm doctor finds what is wrong, says what to do about it and how to leave.
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { checkFile } from "../../src/command/doctor/check-file.ts";
import { checkNode, checkPi } from "../../src/command/doctor/check-versions.ts";
import { runningPiVersion } from "../../src/command/doctor/running-pi.ts";
import { moveAside } from "../../src/own-files/move-aside.ts";
import { commandWorld } from "../support/command-world.ts";
import { managedWorld, offline } from "../support/managed-over.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A file of 2,048 bytes in a folder of its own, with these modes. */
function fileWith(modes: { readonly file: number; readonly folder: number }): string {
  const folder = mkdtempSync(join(tmpdir(), "cm-doctor-"));
  folders.push(folder);
  const path = join(folder, "objects.sqlite");
  writeFileSync(path, "SQLite format 3\0".padEnd(2_048, "x"));
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
  for (const about of ["node", "settings", "store", "answer", "health", "size", "access", "folder", "rights"]) {
    expect(text).toMatch(new RegExp(`^ok +${about} `, "m"));
  }
  expect(text).toContain("2.00 KiB");
  expect(text).toContain("preset default; notices short");
  expect(lines.at(-1)).toBe("To leave: pi remove npm:@cm/pi-extension, then delete /nowhere/agent/context-manager.");
});

it("names files that are closed for their names, each with its rule, and how to open them", async () => {
  const { managed } = await managedWorld();
  const closed = [
    { path: "/srv/app/.env", rule: ".env*" },
    { path: "/srv/app/a\u001b[2J.tfvars", rule: "*.tfvars" },
  ];

  const { text = "" } = (await commandWorld(managed, {}, true, closed).type("doctor")) ?? {};

  expect(text).toContain("look  secrets   2 files closed for the name, with the rule: /srv/app/.env (.env*), ");
  expect(text).toContain(
    'Context Manager does not look into them. To let it: "openSecretFiles": [".env*","*.tfvars"] in your settings file, then start Pi anew.',
  );
  expect(text).not.toContain("\u001b");
});

it("names the reason while the database is offline, and what waits for it", async () => {
  const { managed } = await managedWorld(offline);

  const { text = "" } = (await commandWorld(managed).type("doctor")) ?? {};

  expect(text).toMatch(/^bad +answer +The database does not answer: it is locked/m);
  expect(text).toMatch(/^look +health +offline: it is locked/m);
  expect(text).toMatch(/^look +waiting +3 steps not written yet/m);
  expect(text).toMatch(/^look +file +not there yet/m);
});

it("names each setting that could not be understood, and what XTDB keeps", async () => {
  const { managed } = await managedWorld({ storePlace: "http://127.0.0.1:3000" });
  const store = { kind: "xtdb", urls: ["http://127.0.0.1:3000"], namespace: "" } as const;

  const protect = { tools: ["bash"], paths: [], prompts: 2 };
  const settings = { store, layout: "ssot", protect, problems: ["preset is not known; default is used."] } as const;
  const { text = "" } = (await commandWorld(managed, settings).type("doctor")) ?? {};

  expect(text).toMatch(/^look +settings +preset is not known; default is used\.$/m);
  expect(text).toMatch(/^ok +settings +layout ssot; notices short; protected: bash, the last 2 prompts$/m);
  expect(text).toMatch(/^ok +store +http:\/\/127\.0\.0\.1:3000$/m);
  expect(text).not.toMatch(/^\w+ +(size|file|folder) /m);
  expect(text).toMatch(/The objects in XTDB stay there\.$/);
});

it("sees that others may replace the store, and leaves a folder alone that it did not make", async () => {
  const path = fileWith({ file: 0o600, folder: 0o777 });
  const doubts = checkFile(path).filter(({ status }) => status === "look");

  expect(doubts.map((line) => line.about)).toEqual(["folder"]);
  expect(doubts[0]?.next).toContain("chmod 700");
  await commandWorld(undefined, { store: { kind: "sqlite", path } }).type("doctor fix");
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o777);
});

/** Everything of ours in one folder, which others may enter and read. */
function wideOpen(): { readonly agentDir: string; readonly folder: string; readonly path: string } {
  const agentDir = mkdtempSync(join(tmpdir(), "cm-doctor-"));
  folders.push(agentDir);
  const folder = join(agentDir, "context-manager");
  mkdirSync(folder);
  const written = ["settings.json", "objects.sqlite", "objects.sqlite-wal", "file-states.sqlite", "not-ours.txt"];
  for (const name of written) writeFileSync(join(folder, name), "");
  for (const name of written) chmodSync(join(folder, name), 0o644);
  chmodSync(folder, 0o755);
  return { agentDir, folder, path: join(folder, "objects.sqlite") };
}

it("names what is open to others, and closes it where it is told to", async () => {
  const { agentDir, folder, path } = wideOpen();
  const { type } = commandWorld(undefined, { agentDir, store: { kind: "sqlite", path } });

  const before = (await type("doctor"))?.text ?? "";
  const fixed = (await type("doctor fix"))?.text ?? "";

  const names = ["settings.json", "objects.sqlite", "objects.sqlite-wal", "file-states.sqlite"];
  expect(before).toMatch(/^look +rights +open to other users: context-manager \(755\), settings\.json \(644\), /m);
  expect(before).toContain("/cm doctor fix closes them.");
  expect(fixed).toBe(`Closed to other users: context-manager, ${names.join(", ")}.`);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(names.map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual(names.map(() => 0o600));
  expect(statSync(join(folder, "not-ours.txt")).mode & 0o777).toBe(0o644);
  expect((await type("doctor"))?.text).toMatch(/^ok +rights +only you may read what is kept$/m);
  expect((await type("doctor fix"))?.text).toBe("Nothing to mend.");
});

it("moves a cache that is none aside, deletes what is left over, and nothing else", async () => {
  const { agentDir, folder, path } = wideOpen();
  const { type } = commandWorld(undefined, { agentDir, store: { kind: "sqlite", path } });
  await type("doctor fix");
  const leftover = `settings.json.${"0".repeat(36)}.unfinished`;
  for (const name of ["file-states.sqlite.replaced", leftover]) writeFileSync(join(folder, name), "", { mode: 0o600 });
  writeFileSync(join(folder, "file-states.sqlite"), "no database".repeat(100));

  const before = (await type("doctor"))?.text ?? "";
  const fixed = (await type("doctor fix"))?.text.split("\n") ?? [];

  expect(before).toMatch(/^look +cache +file-states\.sqlite is damaged/m);
  expect(before).toMatch(/^look +left +2 files that nothing needs any more$/m);
  expect(fixed[0]).toMatch(
    /file-states\.sqlite was moved to .*file-states\.sqlite\.aside-[-\dTZ]+; a new one is made\.$/,
  );
  expect(fixed.slice(1)).toEqual(["Deleted: 2 files that nothing needs any more."]);
  const left = readdirSync(folder).map((name) => name.replace(/aside-.*/, "aside"));
  expect(left.toSorted()).toEqual(
    ["file-states.sqlite.aside", "not-ours.txt", "objects.sqlite", "objects.sqlite-wal", "settings.json"].toSorted(),
  );
});

it("moves a damaged store aside only where it is told so, with its log, and never over something", async () => {
  const { agentDir, folder, path } = wideOpen();
  const { type } = commandWorld(undefined, { agentDir, store: { kind: "sqlite", path } });
  expect((await type("doctor fix store"))?.text).toContain("The database is not damaged");
  writeFileSync(path, "no database".repeat(100));

  expect((await type("doctor"))?.text).toMatch(/^bad +file +it is no database\n.*\/cm doctor fix store/m);
  expect((await type("doctor fix"))?.text).toContain("/cm doctor fix store moves it aside");
  expect(readdirSync(folder)).toContain("objects.sqlite");
  const fixed = (await type("doctor fix store"))?.text ?? "";

  expect(fixed).toMatch(/^The damaged database was moved to .*objects\.sqlite\.damaged-.*; nothing was deleted\./);
  const moved = readdirSync(folder).filter((name) => name.startsWith("objects.sqlite"));
  expect(moved).toEqual([
    expect.stringMatching(/^objects\.sqlite\.damaged-[-\dTZ]+$/),
    expect.stringMatching(/^objects\.sqlite\.damaged-[-\dTZ]+-wal$/),
  ]);
  expect((await type("doctor"))?.text).toMatch(/^look +aside +moved aside earlier: 2 files, 1\.07 KiB$/m);
  const now = new Date(0);
  for (const text of ["one", "two"]) {
    writeFileSync(path, text);
    moveAside(path, "damaged", now);
  }
  const base = join(folder, "objects.sqlite.damaged-1970-01-01T00-00-00Z");
  expect([readFileSync(base, "utf8"), readFileSync(`${base}-2`, "utf8")]).toEqual(["one", "two"]);
});

it.each([
  [{ state: "offline", needsUpdate: true, reason: "The file has schema version 99.", unwritten: 2 }, "Run pi update"],
  [{ state: "damaged", reason: "It is damaged.", unwritten: 2 }, "/cm doctor fix store"],
] as const)("promises nothing that does not come by itself: %j", async (health, next) => {
  const { managed } = await managedWorld({ ...offline, health });

  const { text = "" } = (await commandWorld(managed).type("doctor")) ?? {};

  expect(text).toContain(next);
  expect(text).toContain("They stand in Pi's own session file, and are written from it once the database can be used.");
  expect(text).not.toMatch(/by itself|when (the store|it) answers|again later|cm verify/);
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
