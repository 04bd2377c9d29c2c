// @module-tag long
// Verifies: SSOT 5.6, state-cache/1: the states of files are kept beside the store, and their loss is never an error.
import { existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { type KnownState, sha256 } from "@cm/object-model";
import { expect, it } from "vitest";
import { openSqliteStore, openStateCache } from "../src/index.ts";
import { freshPath } from "./support/folder.ts";
import { runCacheWriter } from "./support/writer-process.ts";

const looked: KnownState = { sourceHash: sha256("a"), hint: "1:2:3" };
const states = (count: number, state: KnownState = looked) =>
  new Map(Array.from({ length: count }, (_, n) => [sha256(`${n}`), state]));

it("gives back saved states, also in a later process, and omits unsaved ones", async () => {
  const path = freshPath("states.db");
  const first = openStateCache({ path });
  const saved = new Map<string, KnownState>([
    ["both", looked],
    ["gone", { absent: true }],
    ["with\0nul \u{1f600}", { hint: "h" }],
    ["nothing", {}],
  ]);
  await first.save(saved);
  await first.save(new Map([["both", { hint: "newer" }]]));
  await first.close?.();

  const second = openStateCache({ path });

  expect(await second.load([...saved.keys(), "unknown", "both"])).toEqual(
    new Map([...saved, ["both", { hint: "newer" }]]),
  );
  await second.close?.();
});

it("keeps the entries that were saved last when there are too many", async () => {
  const path = freshPath("states.db");
  const cache = openStateCache({ path, entriesMax: 100 });
  const ids = [...states(150).keys()];
  await cache.save(new Map(ids.slice(0, 80).map((id) => [id, looked])));
  await cache.save(new Map(ids.slice(80, 120).map((id) => [id, looked])));
  await cache.save(new Map(ids.slice(0, 20).map((id) => [id, { hint: "again" }])));

  await cache.save(new Map(ids.slice(120, 150).map((id) => [id, looked])));

  const kept = await cache.load(ids);
  expect(kept.size).toBe(100);
  expect([...ids.slice(0, 20), ...ids.slice(80)].filter((id) => !kept.has(id))).toEqual([]);
  await cache.save(states(300));
  expect((await cache.load([...states(300).keys()])).size).toBe(100);
  await cache.close?.();
});

it("leaves out an entry that is too long to be one", async () => {
  const cache = openStateCache({ path: freshPath("states.db") });

  await cache.save(
    new Map([
      ["long", { hint: "h".repeat(5_000) }],
      ["short", looked],
    ]),
  );

  expect([...(await cache.load(["long", "short"])).keys()]).toEqual(["short"]);
  await cache.close?.();
});

it("answers for a hundred thousand ids at once", async () => {
  const cache = openStateCache({ path: freshPath("states.db") });
  const many = states(100_000);
  await cache.save(many);

  const loaded = await cache.load([...many.keys()].reverse());

  expect(loaded.size).toBe(100_000);
  await cache.close?.();
});

it.each([
  ["no database", (path: string) => writeFileSync(path, "not a database, but text ".repeat(500))],
  ["cut short", (path: string) => truncateSync(path, 5_000)],
  ["full of garbage behind its first page", (path: string) => spoil(path, 4_096)],
  ["of another version", (path: string) => execute(path, "PRAGMA user_version = 99")],
  ["without its table", (path: string) => execute(path, "DROP TABLE known")],
])("a file that is %s counts as empty and is replaced", async (_title, damage) => {
  const path = freshPath("states.db");
  const before = openStateCache({ path });
  await before.save(states(500));
  await before.close?.();
  damage(path);

  const cache = openStateCache({ path });
  await cache.load([...states(500).keys()]);
  await cache.save(states(500, { hint: "fresh" }));

  expect(await cache.load([...states(500).keys()])).toEqual(states(500, { hint: "fresh" }));
  expect(existsSync(`${path}.replaced`)).toBe(true);
  await cache.close?.();
  const after = openStateCache({ path });
  expect((await after.load([sha256("0")])).size).toBe(1);
  await after.close?.();
});

it("another program's database is refused, and stays as it is", async () => {
  const path = freshPath();
  await openSqliteStore({ path }).close();
  const before = readFileSync(path);

  expect(() => openStateCache({ path })).toThrow("another program");

  expect(readFileSync(path).equals(before)).toBe(true);
});

it("a path that is no file is an error at opening", () => {
  for (const path of ["", ":memory:"]) {
    expect(() => openStateCache({ path })).toThrow(expect.objectContaining({ code: "store/unavailable" }));
  }
});

it("a folder that is not there is an error at opening", () => {
  expect(() => openStateCache({ path: freshPath("nowhere/states.db") })).toThrow(
    expect.objectContaining({ code: "store/unavailable" }),
  );
});

it("while another process holds the file it saves nothing, without an error", async () => {
  const path = freshPath("states.db");
  const cache = openStateCache({ path });
  await cache.save(states(10));
  const holder = new DatabaseSync(path);
  holder.exec("BEGIN IMMEDIATE");

  await cache.save(new Map([["new", looked]]));
  const meanwhile = await cache.load([...states(10).keys(), "new"]);
  holder.exec("ROLLBACK");
  await cache.save(new Map([["new", looked]]));

  expect(meanwhile).toEqual(states(10));
  expect((await cache.load(["new"])).size).toBe(1);
  holder.close();
  await cache.close?.();
});

it("a closed cache knows nothing", async () => {
  const cache = openStateCache({ path: freshPath("states.db") });
  await cache.save(states(1));
  await cache.close?.();
  await cache.close?.();

  await cache.save(states(1));

  expect((await cache.load([...states(1).keys()])).size).toBe(0);
});

it("two processes that save at once both succeed", async () => {
  const path = freshPath("states.db");

  const ends = await Promise.all([runCacheWriter(path, "a", 40), runCacheWriter(path, "b", 40)]);

  expect(ends).toEqual([{ stderr: "" }, { stderr: "" }]);
  const cache = openStateCache({ path });
  const ids = ["a", "b"].flatMap((name) => Array.from({ length: 40 }, (_, n) => `${name}-${n}`));
  const known = await cache.load(ids);
  expect(ids.filter((id) => !known.has(id))).toEqual([]);
  await cache.close?.();
});

function execute(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

function spoil(path: string, from: number): void {
  const bytes = readFileSync(path);
  bytes.fill(0xa5, from);
  writeFileSync(path, bytes);
}
