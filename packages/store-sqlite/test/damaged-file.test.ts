// Verifies: F13 as far as reading goes, T18: damage is named by object, and nothing of what was stored is quoted.
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { isDamagedStore, openSqliteStore, recoverSqliteStore } from "../src/index.ts";
import { file, toolcall } from "./support/documents.ts";
import { freshPath } from "./support/folder.ts";

const canary = "qzXkWvJ0pLm3RtY7";
const call = toolcall("call", `${canary} ${"compressible ".repeat(100)}`, { args: { note: canary.repeat(8) } });

describe("an object with", () => {
  const damages: readonly (readonly [string, string])[] = [
    ["a payload of garbage", "UPDATE version SET payload = x'ffffff'"],
    ["an empty payload", "UPDATE version SET payload = x''"],
    ["a payload cut short", "UPDATE version SET payload = substr(payload, 1, length(payload) - 3)"],
    ["a plain payload that is no JSON", `UPDATE version SET enc = 0, payload = CAST('"${canary}' AS BLOB)`],
    ["a plain payload that is no object", `UPDATE version SET enc = 0, payload = CAST('"${canary}"' AS BLOB)`],
    ["an unknown mark", "UPDATE version SET enc = 0, payload = x'7b1f7d'"],
    ["a payload of a later encoding", "UPDATE version SET enc = 9"],
    ["a text of garbage", "UPDATE blob SET data = x'ffffff'"],
    ["a text cut short", "UPDATE blob SET data = substr(data, 1, length(data) - 3)"],
    ["a text of another size", "UPDATE blob SET size = size + 1"],
    ["a text that grows past its size", "UPDATE blob SET size = 10"],
    ["a text of a later encoding", "UPDATE blob SET enc = 9"],
    ["a payload that says something else", 'UPDATE version SET enc = 0, payload = CAST(\'{"tool":"read"}\' AS BLOB)'],
    ["another text of the same size", "UPDATE blob SET enc = 0, data = zeroblob(size)"],
    ["the hash of another version", "UPDATE version SET content_hash = zeroblob(32)"],
    ["the text of another object", "UPDATE version SET bid = (SELECT max(bid) FROM blob)"],
  ];
  for (const [title, sql] of damages) {
    it(`${title} is corrupt, by name`, async () => {
      const path = freshPath();
      const store = openSqliteStore({ path });
      await store.commit([call, toolcall("other", canary)].map((document) => ({ document, expect: "any" })));
      damage(path, sql);

      const error: unknown = await store.getMany(["call"]).catch((thrown) => thrown);

      expect(error).toMatchObject({ code: "store/corrupt", data: { id: "call" } });
      expect(`${error} ${JSON.stringify(error)} ${Object(error).cause}`).not.toContain(canary);
      await store.close();
    });
  }
});

describe("a number too large for JavaScript", () => {
  it("is corrupt where it is read", async () => {
    const path = freshPath();
    const store = openSqliteStore({ path });
    await store.commit([{ document: call, expect: "any" }]);
    damage(path, "UPDATE version SET valid_from = 1 << 60");

    const error: unknown = await store.history("call").catch((thrown) => thrown);

    expect(error).toMatchObject({ code: "store/corrupt" });
    await store.close();
  });
});

describe("a damaged text that may come later", () => {
  it.each([
    ["garbage", "UPDATE blob SET data = x'ffffff'"],
    ["another text of the same size", "UPDATE blob SET enc = 0, data = zeroblob(size)"],
  ])("is corrupt, by name, when it is looked at; its fields are there: %s", async (_title, sql) => {
    const path = freshPath();
    const store = openSqliteStore({ path });
    await store.commit([{ document: call, expect: "any" }]);
    damage(path, sql);

    const found = (await store.getMany(["call"], undefined, { texts: "later" })).get("call")?.document;

    expect(found).toHaveProperty("tool", call.tool);
    expect(() => found?.content).toThrow(expect.objectContaining({ code: "store/corrupt", data: { id: "call" } }));
    await store.close();
  });
});

describe("a column that lists look at and that does not fit to the document", () => {
  const note = file("/a.ts", "text");
  const damages: readonly (readonly [string, string, string])[] = [
    ["the tool", "call", "UPDATE version SET tool = 'other' WHERE tool IS NOT NULL"],
    ["the session", "call", "UPDATE version SET session_id = NULL"],
    ["the path", note["xt/id"], "UPDATE source SET path = '/b.ts', binding = '{\"type\":\"filesystem\"}'"],
    ["the path of a file", note["xt/id"], "UPDATE source SET path = '/b.ts'"],
    ["a source that is gone", note["xt/id"], "DROP TRIGGER source_kept; DELETE FROM source"],
    ["the place", note["xt/id"], 'UPDATE source SET binding = \'{"type":"web","url":"/a.ts"}\''],
  ];
  for (const [title, id, sql] of damages) {
    it(`is corrupt, by name: ${title}`, async () => {
      const path = freshPath();
      const store = openSqliteStore({ path });
      await store.commit([call, note].map((document) => ({ document, expect: "any" })));
      damage(path, sql);

      await expect(store.getMany([id])).rejects.toMatchObject({ code: "store/corrupt", data: { id } });
      await expect(store.history(id, { documents: true })).rejects.toMatchObject({ data: { id } });
      await store.close();
    });
  }
});

describe("an object that is damaged", () => {
  const open = async () => {
    const path = freshPath();
    const store = openSqliteStore({ path });
    await store.commit([call, toolcall("other", "other")].map((document) => ({ document, expect: "any" })));
    damage(path, "UPDATE version SET payload = x'ff' WHERE vid = 1");
    return store;
  };

  it("is listed, and hides no other", async () => {
    const store = await open();

    const { versions } = await store.find({ type: "toolcall" });
    const history = await store.history("call");

    expect(versions.map(({ id }) => id)).toEqual(["call", "other"]);
    expect(history.versions.map(({ contentHash }) => contentHash)).toEqual([call.content_hash]);
    expect((await store.getMany(["other"])).get("other")?.document?.content).toBe("other");
    await expect(store.find({ type: "toolcall" }, { documents: true })).rejects.toMatchObject({ data: { id: "call" } });
    await store.close();
  });

  it("is whole again when it is written again", async () => {
    const store = await open();

    const receipt = await store.commit([{ document: call, expect: "any" }]);

    expect(receipt.results[0]?.outcome).toBe("written");
    expect((await store.getMany(["call"])).get("call")?.document).toEqual(call);
    await store.close();
  });

  it("can be erased", async () => {
    const store = await open();

    const { erased } = await store.erase(["call"], "damaged");

    expect(erased).toEqual(["call"]);
    expect((await store.history("call", { documents: true })).versions[0]?.erased?.reason).toBe("damaged");
    await store.close();
  });
});

function damage(path: string, sql: string): void {
  const raw = new DatabaseSync(path);
  raw.exec(`DROP TRIGGER version_fixed; DROP TRIGGER blob_fixed; DROP TRIGGER source_fixed; ${sql}`);
  raw.close();
}

it("a damaged page is corrupt", async () => {
  const path = freshPath();
  const store = openSqliteStore({ path });
  const writes = Array.from({ length: 300 }, (_, n) => ({
    document: toolcall(`call ${n}`, `${n}`),
    expect: "any" as const,
  }));
  await store.commit(writes);
  await store.close();
  const handle = openSync(path, "r+");
  for (let page = 2; page < 60; page += 1) writeSync(handle, Buffer.alloc(200, 0xa5), 0, 200, page * 4096);
  closeSync(handle);

  const reading = async () => {
    await openSqliteStore({ path }).find({ type: "toolcall" }, { documents: true });
  };

  await expect(reading()).rejects.toMatchObject({ code: "store/corrupt" });
});

describe("a check of the file finds what no index of SQLite's has twice:", () => {
  const damages: readonly (readonly [string, string])[] = [
    ["an object that its session has lost", "DELETE FROM member WHERE oid = 1"],
    ["an object in a session that never had it", "INSERT INTO member SELECT 1, max(oid) FROM object"],
    ["an index that is not there", "DROP INDEX field_newest"],
    ["a trigger that keeps nothing any more", "DROP TRIGGER tx_fixed"],
  ];
  for (const [title, sql] of damages) {
    it(title, async () => {
      const path = freshPath();
      const store = openSqliteStore({ path });
      await store.commit([{ document: call, expect: "any" }]);
      await store.commit([{ document: file("/a.ts", "text"), expect: "any" }]);
      const before = await store.check?.();
      const raw = new DatabaseSync(path);
      raw.exec(sql);
      raw.close();

      expect(before?.problems).toEqual([]);
      expect((await store.check?.())?.problems).toHaveLength(1);
      await store.close();
    });
  }

  it("no transaction of the newest versions, which a look at an earlier state would hide", async () => {
    const path = freshPath();
    const store = openSqliteStore({ path });
    for (const text of ["one", "two", "three"]) await store.commit([{ document: file("/a.ts", text), expect: "any" }]);
    await store.close();
    damage(path, "DROP TRIGGER tx_kept; PRAGMA foreign_keys = OFF; DELETE FROM tx WHERE tx_id > 1");

    for (const readOnly of [true, false]) {
      const opening = () => openSqliteStore({ path, readOnly });
      expect(opening).toThrow(expect.objectContaining({ code: "store/corrupt" }));
      expect(opening).toThrow(/The newest versions have lost their transactions/);
      expect(opening).toThrow(expect.toSatisfy(isDamagedStore));
    }
    // Their times are those of the versions.
    expect(recoverSqliteStore({ path, to: freshPath() })).toMatchObject({ versions: 3, rowsRefused: 0 });
  });

  it("a page with wrong places of its rows, a sentence each and none twice", async () => {
    const path = freshPath();
    const store = openSqliteStore({ path });
    for (let n = 0; n < 20; n += 1) await store.commit([{ document: file(`/${n}.ts`, "text"), expect: "any" }]);
    await store.close();
    const raw = new DatabaseSync(path);
    const page = Number(raw.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'tx'").get()?.rootpage);
    raw.close();
    const bytes = readFileSync(path);
    bytes.fill(0x5a, (page - 1) * 4_096 + 8, (page - 1) * 4_096 + 40);
    writeFileSync(path, bytes);

    const read = openSqliteStore({ path, readOnly: true });
    const problems = (await read.check?.())?.problems ?? [];
    await read.close();

    expect(problems.length).toBeGreaterThan(1);
    expect(problems.filter((problem) => problem.includes("\n") || problem.startsWith("***"))).toEqual([]);
    expect(new Set(problems).size).toBe(problems.length);
  });

  it("a time that runs backwards", async () => {
    const path = freshPath();
    const store = openSqliteStore({ path });
    await store.commit([{ document: call, expect: "any" }]);
    await store.commit([{ document: file("/a.ts", "text"), expect: "any" }]);
    damage(path, "DROP TRIGGER tx_fixed; UPDATE tx SET time = time - 5000 WHERE tx_id = 2");

    expect((await store.check?.())?.problems).toContain("A transaction has an earlier time than the one before it.");
    await store.close();
  });

  // SQLite reads such a file, and refuses it once it may be written.
  it("a column that has another name", async () => {
    const path = freshPath();
    const store = openSqliteStore({ path });
    await store.commit([{ document: call, expect: "any" }]);
    await store.close();
    const bytes = readFileSync(path);
    const at = bytes.indexOf("content_hash BLOB NOT NULL CHECK(length(content_hash)");
    bytes.write("contest_hash", bytes.indexOf("(content_hash)", at) + 1);
    writeFileSync(path, bytes);

    const read = openSqliteStore({ path, readOnly: true });

    expect((await read.check?.())?.problems).toEqual([
      "The definition of the table version is not the one that was written.",
    ]);
    expect(() => openSqliteStore({ path })).toThrow(expect.objectContaining({ code: "store/corrupt" }));
    await read.close();
  });
});
