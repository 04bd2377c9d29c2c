// Verifies: T7 for the index of texts: no trigram of an erased text stays in it, whatever had been merged before.
import { existsSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { Connection } from "../src/connection.ts";
import { compactSqliteStore, openSqliteStore } from "../src/index.ts";
import { storeLimits } from "../src/limits.ts";
import { forgetTexts, indexMore, reachOf } from "../src/text-index.ts";
import { toolcall } from "./support/documents.ts";
import { freshPath } from "./support/folder.ts";
import { createRandom, runSeed } from "./support/random.ts";

/** Characters of a script that nothing else is written in here. They have no case. */
const rare = Array.from("\ua002\ua014\ua030\ua04b\ua08c\ua100\ua12f\ua1f3");
const canary = rare.join("");
/** Three bytes stand in packed data by chance; the six of two neighbours do not. */
const neighbours = rare.slice(1).map((character, n) => `${rare[n]}${character}`);

/** Every term, and the blobs that stand under it. */
function termsOf(path: string): ReadonlyMap<string, readonly number[]> {
  const database = new DatabaseSync(path);
  database.exec("CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, text_index, instance)");
  const terms = new Map<string, number[]>();
  for (const { term, doc } of database.prepare("SELECT term, doc FROM temp.terms").all()) {
    terms.set(`${term}`, [...(terms.get(`${term}`) ?? []), Number(doc)]);
  }
  database.close();
  return terms;
}

function bytesOf(path: string): Buffer {
  return Buffer.concat([path, `${path}-wal`].filter((name) => existsSync(name)).map((name) => readFileSync(name)));
}

/** The bytes of the index alone, which has every trigram: also those with one character of the canary. */
function indexBytesOf(path: string): Buffer {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare("SELECT block FROM text_index_data").all();
  database.close();
  return Buffer.concat(rows.flatMap(({ block }) => (block instanceof Uint8Array ? [block] : [])));
}

const among = (bytes: Buffer, texts: readonly string[]) => texts.filter((text) => bytes.includes(text));
const foundIn = (path: string) => [...among(bytesOf(path), neighbours), ...among(indexBytesOf(path), rare)];

it("keeps no term and no row of an erased text, after any order of writing and searching", async () => {
  const { seed, replay } = runSeed("keeps no term and no row of an erased text");
  const random = createRandom(seed);
  const path = freshPath();
  const store = openSqliteStore({ path, synchronous: "normal" });
  let indexedCanaries = 0;
  for (let round = 0; round < 4; round += 1) {
    const secret: string[] = [];
    const writes = Array.from({ length: 160 }, (_, n) => {
      const id = `call ${round} ${n}`;
      const isSecret = random.chance(0.1);
      if (isSecret) secret.push(id);
      const words = Array.from({ length: 30 }, () => random.below(5_000).toString(36)).join(" ");
      return { document: toolcall(id, isSecret ? `${words} ${canary} ${n}` : words), expect: "any" as const };
    });
    await store.commit(writes);
    await store.find({ type: "toolcall", text: "needle" });
    const before = reachIn(path).through;
    indexedCanaries += foundIn(path).length;
    for (let from = 0; from < secret.length; from += 5) await store.erase(secret.slice(from, from + 5), "leaked");

    expect(before, replay).toBeGreaterThan(0);
    expect(foundIn(path), replay).toEqual([]);
    const bids = new Set(rowsOf(path));
    for (const [term, blobs] of termsOf(path)) {
      expect(
        rare.some((character) => term.includes(character)),
        replay,
      ).toBe(false);
      expect(
        blobs.filter((bid) => !bids.has(bid)),
        `${term}; ${replay}`,
      ).toEqual([]);
    }
  }
  expect(indexedCanaries).toBe(4 * (neighbours.length + rare.length));
  await store.close();
});

it("is filled by several searches where much is missing, each of which is answered in full", async () => {
  const path = freshPath();
  const store = openSqliteStore({ path, synchronous: "normal" });
  const count = storeLimits.indexTextsPerSearchMax + 300;
  const calls = Array.from({ length: count }, (_, n) => toolcall(`call ${n}`, n % 500 === 0 ? `needle ${n}` : `${n}`));
  await store.commit(calls.map((document) => ({ document, expect: "any" })));

  const first = await store.find({ type: "toolcall", text: "needle" });
  const reachOfFirst = reachIn(path);
  const second = await store.find({ type: "toolcall", text: "needle" });

  expect(reachOfFirst).toEqual({ through: storeLimits.indexTextsPerSearchMax });
  expect(reachIn(path)).toEqual({ through: count });
  expect([first, second].map(({ versions }) => versions.length)).toEqual([5, 5]);
  await store.close();
});

it("goes as a whole when it is too large to be merged, and is filled again", async () => {
  const path = freshPath();
  const store = openSqliteStore({ path, synchronous: "normal" });
  const texts = Array.from({ length: 120 }, (_, n) => toolcall(`call ${n}`, n === 7 ? canary : `text ${n}`));
  await store.commit(texts.map((document) => ({ document, expect: "any" })));
  const connection = new Connection(new DatabaseSync(path));
  indexMore(connection);

  connection.write(() => forgetTexts(connection, new Set([8]), 100));
  const emptied = reachOf(connection);
  indexMore(connection);

  expect(emptied).toEqual({ through: 0 });
  expect(reachOf(connection)).toEqual({ through: 120 });
  connection.close();
  await store.close();
});

it("is not asked when it is damaged, does not stop an erasure, and is made anew by compacting", async () => {
  const path = freshPath();
  const store = openSqliteStore({ path, synchronous: "normal" });
  const texts = Array.from({ length: 300 }, (_, n) => toolcall(`call ${n}`, `text ${n}`));
  await store.commit(texts.map((document) => ({ document, expect: "any" })));
  await store.find({ type: "toolcall", text: "text 7" });
  const damage = () => {
    const raw = new DatabaseSync(path, { defensive: false });
    raw.exec("UPDATE text_index_data SET block = x'ffffffffffff' WHERE id > 100");
    raw.close();
  };
  damage();

  const found = await store.find({ type: "toolcall", text: "text 7" });
  await store.erase(["call 7"], "leaked");
  const afterErasing = reachIn(path);
  await store.find({ type: "toolcall", text: "text 7" });
  damage();
  compactSqliteStore({ path });

  expect(found.versions).toHaveLength(11);
  expect(afterErasing).toEqual({ through: 0 });
  expect(reachIn(path)).toEqual({ through: 0 });
  expect((await store.find({ type: "toolcall", text: "text 7" })).versions).toHaveLength(10);
  expect(reachIn(path).through).toBe(300);
  await store.close();
});

function reachIn(path: string) {
  const connection = new Connection(new DatabaseSync(path));
  const reach = reachOf(connection);
  connection.close();
  return reach;
}

function rowsOf(path: string): readonly number[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare("SELECT bid FROM blob").all();
  database.close();
  return rows.map(({ bid }) => Number(bid));
}
