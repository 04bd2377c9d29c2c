// Verifies: record 0081: a text with a NUL in it is read whole, also by a Node that would cut it there.
import { DatabaseSync } from "node:sqlite";
import { expect, it, vi } from "vitest";
import { Connection } from "../src/connection.ts";
import { readableSql, withTexts } from "../src/whole-text.ts";

// A process asks its Node once, and other test files of this one have asked.
vi.hoisted(() => vi.resetModules());

const sql = "SELECT whole(t.a) AS a, n FROM t ORDER BY n";
const texts = ["plain", "a\0b", "\0", "", "é\0\u{1f600}"];

/** As early Nodes 22 and 24 answer when they are asked whether they cut. */
const cutting = { prepare: () => ({ get: () => ({ text: "a" }) }) } as unknown as DatabaseSync;

function filled(): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE t(a TEXT, n INTEGER) STRICT");
  texts.forEach((text, n) => {
    database.prepare("INSERT INTO t VALUES (?, ?)").run(text, n);
  });
  database.exec("INSERT INTO t VALUES (NULL, 99)");
  return database;
}

it("asks a Node that cuts for bytes where there is a NUL, and only there", () => {
  const database = filled();

  const readable = readableSql(sql, cutting);

  expect(readable.texts).toEqual(["a"]);
  const rows = database.prepare(readable.sql).all();
  expect(rows.map(({ a }) => typeof a === "string")).toEqual([true, false, false, true, false, false]);
  expect(rows.map((row) => withTexts(row, readable.texts).a)).toEqual([...texts, null]);
  database.close();
});

it("a connection gives texts whole on this Node", () => {
  const connection = new Connection(filled());

  const [one, all, iterated] = [connection.get(sql), connection.all(sql), [...connection.iterate(sql, {})]];

  expect(one?.a).toBe("plain");
  expect(all.map(({ a }) => a)).toEqual([...texts, null]);
  expect(iterated).toEqual(all);
  connection.close();
});
