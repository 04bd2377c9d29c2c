// Verifies: SSOT 7.4: the schema has a version, and a file opens in under 20 ms; T18, errors name things and quote nothing.
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import zlib from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import { checkModules, isSafeSqlite, loadSqlite } from "../src/engine.ts";
import { openSqliteStore } from "../src/index.ts";
import { file, toolcall } from "./support/documents.ts";
import { freshPath } from "./support/folder.ts";

const call = toolcall("call", "text");
const withCode = (code: string) => expect.objectContaining({ code });

describe("opening", () => {
  it("gives what an earlier process wrote", async () => {
    const path = freshPath();
    const first = openSqliteStore({ path });
    const { basis } = await first.commit([{ document: call, expect: "absent" }]);
    await first.close();

    const second = openSqliteStore({ path });

    expect((await second.getMany(["call"], basis)).get("call")?.document).toEqual(call);
    await second.close();
  });

  it("takes a path with a scheme for a file's name", async () => {
    const path = freshPath("file:odd?mode=memory");
    const store = openSqliteStore({ path });

    await store.commit([{ document: call, expect: "absent" }]);

    expect(existsSync(path)).toBe(true);
    await store.close();
  });

  it("leaves no log behind after closing", async () => {
    const path = freshPath();
    const store = openSqliteStore({ path });
    await store.commit([{ document: call, expect: "absent" }]);

    await store.close();

    expect(existsSync(`${path}-wal`)).toBe(false);
  });

  it("refuses a folder that is not there", () => {
    expect(() => openSqliteStore({ path: join(freshPath(), "no", "store.db") })).toThrow(withCode("store/unavailable"));
  });

  it("refuses a path that is a folder", () => {
    expect(() => openSqliteStore({ path: dirname(freshPath()) })).toThrow(withCode("store/unavailable"));
  });

  it.each(["", "a\0b"])("refuses %j as a path", (path) => {
    expect(() => openSqliteStore({ path })).toThrow(withCode("store/unavailable"));
  });

  it.each([-1, 0.5, Number.NaN, 3_600_001])("refuses %d as a busy timeout", (busyTimeoutMs) => {
    expect(() => openSqliteStore({ path: ":memory:", busyTimeoutMs })).toThrow(withCode("store/limit"));
  });

  it("calls a file that is no database corrupt, and leaves it alone", () => {
    const path = freshPath();
    writeFileSync(path, "no database, but long enough to look like one. ".repeat(50));

    expect(() => openSqliteStore({ path })).toThrow(withCode("store/corrupt"));

    expect(existsSync(`${path}-wal`)).toBe(false);
  });

  it("refuses the database of another program", () => {
    const path = freshPath();
    const other = new DatabaseSync(path);
    other.exec("CREATE TABLE theirs(a)");
    other.close();

    expect(() => openSqliteStore({ path })).toThrow(withCode("store/unavailable"));
  });

  it("refuses a newer schema and names both versions", () => {
    const path = freshPath();
    void openSqliteStore({ path }).close();
    const newer = new DatabaseSync(path);
    newer.exec("PRAGMA user_version = 99");
    newer.close();

    expect(() => openSqliteStore({ path })).toThrow(/version 99.*up to 3/);
    expect(() => openSqliteStore({ path, readOnly: true })).toThrow(withCode("store/unavailable"));
  });
});

describe("a store opened for reading", () => {
  it("reads, and refuses to write", async () => {
    const path = freshPath();
    const writer = openSqliteStore({ path });
    await writer.commit([{ document: call, expect: "absent" }]);
    await writer.close();
    const store = openSqliteStore({ path, readOnly: true });

    const commit = store.commit([{ document: toolcall("other", "text"), expect: "any" }]);

    await expect(commit).rejects.toEqual(withCode("store/unavailable"));
    await expect(store.erase(["call"], "leaked")).rejects.toEqual(withCode("store/unavailable"));
    expect((await store.getMany(["call"])).size).toBe(1);
    await store.close();
  });

  it("is refused where there is no file, or an empty one", () => {
    const path = freshPath();
    const empty = freshPath();
    writeFileSync(empty, "");

    expect(() => openSqliteStore({ path, readOnly: true })).toThrow(withCode("store/unavailable"));
    expect(() => openSqliteStore({ path: empty, readOnly: true })).toThrow(withCode("store/unavailable"));
    expect(existsSync(path)).toBe(false);
  });
});

describe("a lock of another process", () => {
  it("ends as unavailable after the timeout, and nothing was written", async () => {
    const path = freshPath();
    const store = openSqliteStore({ path, busyTimeoutMs: 20 });
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");

    const commit = store.commit([{ document: call, expect: "any" }]);

    await expect(commit).rejects.toEqual(withCode("store/unavailable"));
    expect((await store.getMany(["call"])).size).toBe(0);
    other.exec("ROLLBACK");
    await store.commit([{ document: call, expect: "absent" }]);
    other.close();
    await store.close();
  });
});

describe("after closing", () => {
  it("every method says so, and closing again is no fault", async () => {
    const store = openSqliteStore({ path: ":memory:" });
    await store.close();

    await store.close();

    const calls = [store.getMany([]), store.commit([]), store.history("a"), store.find({}), store.erase([], "r")];
    for (const result of await Promise.allSettled(calls))
      expect(result).toMatchObject({ reason: { code: "store/closed" } });
  });
});

describe("errors", () => {
  it("carry neither text nor SQL", async () => {
    const canary = "qzXkWvJ0pLm3RtY7";
    const path = freshPath();
    const store = openSqliteStore({ path });
    await store.commit([{ document: file("/a", "first"), expect: "any" }]);
    const raw = new DatabaseSync(path);
    raw.exec(`CREATE TRIGGER fault BEFORE INSERT ON version BEGIN SELECT RAISE(ABORT, '${canary}'); END`);
    raw.close();

    const error: unknown = await store.commit([{ document: file("/a", canary), expect: "any" }]).catch((e) => e);

    expect(error).toMatchObject({ code: "store/corrupt" });
    expect(`${error} ${JSON.stringify(error)} ${Object(error).stack} ${Object(error).cause}`).not.toContain(canary);
    expect(Object(error).message).not.toMatch(/SELECT|INSERT/);
    await store.close();
  });
});

describe("the engine", () => {
  it.each(["3.51.3", "3.52.0", "3.53.4", "3.50.7", "3.50.9", "3.44.6", "4.0.0"])(
    "SQLite %s keeps its log itself",
    (version) => {
      expect(isSafeSqlite(version)).toBe(true);
    },
  );

  it.each(["3.51.2", "3.50.6", "3.49.9", "3.45.9", "3.44.5", "3.7.0", "2.8.17", "none"])(
    "SQLite %s has its log kept",
    (version) => {
      expect(isSafeSqlite(version)).toBe(false);
    },
  );

  it("of an older Node is missed in one sentence", () => {
    const missing = vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);

    expect(() => loadSqlite()).toThrow(/has no node:sqlite; use Node 22\.19/);

    missing.mockRestore();
  });

  it("of a Node without zstd is refused before anything is written", () => {
    const { zstdCompressSync } = zlib;
    zlib.zstdCompressSync = undefined as never;

    expect(() => loadSqlite()).toThrow(/has no zstd; use Node 22\.19/);

    zlib.zstdCompressSync = zstdCompressSync;
  });

  it("of a Node whose SQLite has no FTS5 is refused, and its connection closed", () => {
    const close = vi.fn();
    const without = { prepare: () => ({ get: () => ({ used: 0 }) }), close } as never;

    expect(() => checkModules(without)).toThrow(/has no FTS5 in its SQLite; use Node 22\.19, or 24 or later/);
    expect(close).toHaveBeenCalledOnce();
  });

  it("is loaded without Node's warning about it, and no other is held back", () => {
    const sqlite = process.getBuiltinModule("node:sqlite");
    const emitted = vi.spyOn(process, "emitWarning").mockReturnValue();
    const loading = vi.spyOn(process, "getBuiltinModule").mockImplementation((() => {
      process.emitWarning("SQLite is an experimental feature and might change at any time", "ExperimentalWarning");
      process.emitWarning("Something else is an experimental feature", "ExperimentalWarning");
      process.emitWarning("SQLite is old", "DeprecationWarning", "DEP1");
      return sqlite;
    }) as never);

    loadSqlite();

    expect(emitted.mock.calls).toEqual([
      ["Something else is an experimental feature", "ExperimentalWarning"],
      ["SQLite is old", "DeprecationWarning", "DEP1"],
    ]);
    expect(process.emitWarning).toBe(emitted);
    loading.mockRestore();
    emitted.mockRestore();
  });
});
