// Verifies: SSOT 2.8: compacting gives back what erasures left free, while others have the file open, or says why not.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { isSafeSqlite } from "../src/engine.ts";
import { compactSqliteStore, openSqliteStore } from "../src/index.ts";
import { toolcall } from "./support/documents.ts";
import { freshPath } from "./support/folder.ts";
import { createRandom } from "./support/random.ts";

/** An old SQLite leaves one page in an empty log (`GuardedLog`). */
const emptyLogBytes = isSafeSqlite(process.versions.sqlite ?? "") ? 0 : 32 + 4_120;

/** Of text that does not compress. */
async function fileWith(count: number): Promise<string> {
  const random = createRandom(1);
  const path = freshPath();
  const store = openSqliteStore({ path, synchronous: "normal" });
  const letters = () => Array.from({ length: 2_000 }, () => String.fromCharCode(33 + random.below(90))).join("");
  const calls = Array.from({ length: count }, (_, n) => toolcall(`call ${n}`, letters()));
  await store.commit(calls.map((document) => ({ document, expect: "any" })));
  await store.close();
  return path;
}

it("gives back the room, and the store goes on where it is open", async () => {
  const path = await fileWith(300);
  const store = openSqliteStore({ path });
  const kept = (await store.getMany(["call 299"])).get("call 299");
  await store.erase(
    Array.from({ length: 299 }, (_, n) => `call ${n}`),
    "too many",
  );

  const receipt = compactSqliteStore({ path });

  expect(receipt.bytesAfter).toBe(statSync(path).size + emptyLogBytes);
  expect(receipt.bytesBefore).toBeGreaterThan(4 * receipt.bytesAfter);
  expect(statSync(`${path}-wal`).size).toBe(emptyLogBytes);
  expect((await store.getMany(["call 299"])).get("call 299")).toEqual(kept);
  await store.commit([{ document: toolcall("later", "text"), expect: "absent" }]);
  expect((await store.find({ type: "toolcall" })).versions.map(({ id }) => id)).toEqual(["call 299", "later"]);
  await store.close();
});

it("says that another process is writing, and changes nothing", async () => {
  const path = await fileWith(20);
  const writer = new DatabaseSync(path);
  writer.exec("BEGIN IMMEDIATE");
  const before = readFileSync(path);

  const compacting = () => compactSqliteStore({ path, busyTimeoutMs: 1 });

  expect(compacting).toThrow(expect.objectContaining({ code: "store/unavailable" }));
  expect(readFileSync(path).equals(before)).toBe(true);
  writer.close();
});

it("says that a reader of the old state keeps the log, and succeeds when it is gone", async () => {
  const path = await fileWith(20);
  const store = openSqliteStore({ path });
  await store.commit([{ document: toolcall("later", "text"), expect: "any" }]);
  const reader = new DatabaseSync(path, { readOnly: true });
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM version").get();

  expect(() => compactSqliteStore({ path, busyTimeoutMs: 1 })).toThrow(/another process reads.*compact again/);
  reader.close();

  expect(compactSqliteStore({ path }).bytesAfter).toBe(statSync(path).size + emptyLogBytes);
  await store.close();
});

it("takes a file of an earlier version as it is", async () => {
  const path = freshPath();
  const earlier = new DatabaseSync(path);
  earlier.exec(readFileSync(new URL("./fixtures/version-1.sql", import.meta.url), "utf8"));
  earlier.close();

  compactSqliteStore({ path });

  const after = new DatabaseSync(path, { readOnly: true });
  expect(after.prepare("PRAGMA user_version").get()).toEqual({ user_version: 1 });
  after.close();
});

it("refuses what is no store's file, and makes none", () => {
  const other = freshPath();
  new DatabaseSync(other).exec("CREATE TABLE theirs(a)");
  const text = freshPath("notes.txt");
  writeFileSync(text, "not a database ".repeat(100));
  const empty = freshPath("empty.db");
  writeFileSync(empty, "");
  const nowhere = freshPath("nowhere.db");
  const codeOf = (path: string): unknown => {
    try {
      return compactSqliteStore({ path });
    } catch (error) {
      return (error as { code?: unknown }).code;
    }
  };

  expect([other, text, empty, nowhere, ""].map(codeOf)).toEqual([
    "store/unavailable",
    "store/corrupt",
    "store/unavailable",
    "store/unavailable",
    "store/unavailable",
  ]);
  expect(statSync(nowhere, { throwIfNoEntry: false })).toBe(undefined);
});
