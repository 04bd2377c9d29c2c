// Verifies: the contract's order of ids, by UTF-16 units, on columns that SQLite orders by UTF-8 bytes.
import { DatabaseSync } from "node:sqlite";
import { endOfPrefix, fromOrderedText, toOrderedText } from "@cm/object-model/stored-form";
import { expect, it } from "vitest";
import { Connection } from "../src/connection.ts";
import { createRandom, runSeed } from "./support/random.ts";

const units = [
  0x00, 0x01, 0x41, 0x7f, 0xe9, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xfffd, 0xffff,
];
const { seed, replay } = runSeed("ordered text");
const random = createRandom(seed);
const texts = Array.from({ length: 400 }, () =>
  String.fromCharCode(...Array.from({ length: random.below(5) }, () => units[random.below(units.length)] ?? 0)),
);

it("ordered text comes back as it was, halves of surrogate pairs included", () => {
  expect(
    texts.map((text) => fromOrderedText(toOrderedText(text))),
    replay,
  ).toEqual(texts);
});

it("ordered text is plain text where there is nothing to do", () => {
  expect(toOrderedText("step:s1:0 zoë 漢字")).toBe("step:s1:0 zoë 漢字");
});

it("ordered text is ordered by SQLite as its original by JavaScript", () => {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE t(a TEXT NOT NULL UNIQUE) STRICT");
  const insert = database.prepare("INSERT OR IGNORE INTO t VALUES (?)");
  for (const text of texts) insert.run(toOrderedText(text));

  const connection = new Connection(database);
  const sorted = connection.all("SELECT whole(a) AS a FROM t ORDER BY t.a");

  expect(
    sorted.map(({ a }) => fromOrderedText(`${a}`)),
    replay,
  ).toEqual([...new Set(texts)].sort());
  connection.close();
});

it("ordered text between a prefix and its end begins with the prefix", () => {
  for (const prefix of texts.slice(0, 40)) {
    const [from, to] = [toOrderedText(prefix), endOfPrefix(toOrderedText(prefix))].map((text) => Buffer.from(text));
    const between = texts.filter((text) => {
      const bytes = Buffer.from(toOrderedText(text));
      return bytes.compare(from ?? bytes) >= 0 && bytes.compare(to ?? bytes) < 0;
    });

    expect(between, replay).toEqual(texts.filter((text) => text.startsWith(prefix)));
  }
});
