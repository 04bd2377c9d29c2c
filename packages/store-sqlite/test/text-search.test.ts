// @module-tag long
// Verifies: SSOT 2.8 (find by text): an index narrows a search down and never changes its answer.

import { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { createMemoryStore, type Filter, type ObjectStore } from "@cm/object-model";
import { expect, it } from "vitest";
import { Connection } from "../src/connection.ts";
import { openSqliteStore } from "../src/index.ts";
import { storeLimits } from "../src/limits.ts";
import { indexMore, isBehind, reachOf } from "../src/text-index.ts";
import { file, testTypes, toolcall } from "./support/documents.ts";
import { freshPath } from "./support/folder.ts";
import { campaign, createRandom, type Random, runSeed } from "./support/random.ts";
import { runWriter } from "./support/writer-process.ts";

/** Few characters, so that pieces are found: with case, without, beyond the BMP, and those that query languages read. */
const characters = [
  "a",
  "B",
  "b",
  "c",
  " ",
  "\0",
  '"',
  "'",
  "*",
  "%",
  "É",
  "é",
  "ß",
  "İ",
  "Σ",
  "ς",
  "\u{1f600}",
  "\u{10400}",
  "\ufffe",
  "\ufffd",
];

const drawnText = (random: Random, most: number) =>
  Array.from({ length: random.below(most) }, () => random.pick(characters)).join("");

/** Mostly out of a text that was written, in another case, now and then cut through a character. */
function drawnPiece(random: Random, texts: readonly string[]): string {
  if (random.chance(0.2)) return drawnText(random, 6);
  const text = texts[random.below(texts.length)] ?? "";
  const from = random.below(text.length + 1);
  const piece = text.slice(from, from + random.below(9));
  return random.chance(0.5) ? piece.toUpperCase() : piece;
}

async function idsOf(store: ObjectStore, filter: Filter, limit: number): Promise<readonly string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.find(filter, { limit, ...(cursor === undefined ? {} : { cursor }) });
    ids.push(...page.versions.map(({ id }) => id));
    cursor = page.next;
  } while (cursor !== undefined);
  return ids;
}

const filters: readonly Filter[] = [
  { type: "toolcall" },
  { session: "s1" },
  { source: { type: "filesystem", pathPrefix: "/a" } },
  { type: "file", path: "1" },
  { type: "toolcall", session: "s2", tool: "read" },
];

const title = "searches answer as the memory store does, whatever of the texts is in the index";
it(title, async () => {
  const { seed, replay } = runSeed(title);
  const random = createRandom(seed);
  const setting = { types: testTypes, now: () => 1_000 };
  const sqlite = openSqliteStore({ ...setting, path: ":memory:" });
  const stores = [createMemoryStore(setting), sqlite];
  const texts: string[] = [];
  for (let round = 0; round < (campaign ? 40 : 3); round += 1) {
    const documents = Array.from({ length: 150 }, (_, n) => {
      const text = random.chance(0.1) ? (texts[random.below(texts.length)] ?? "") : drawnText(random, 40);
      texts.push(text);
      const [id, place] = [`call ${random.below(200)} ${n}`, `/${random.pick(["a", "b"])}/${n}`];
      const fields = { chat_ref: `chat:${random.pick(["s1", "s2"])}`, tool: random.pick(["read", "bash"]) };
      return random.chance(0.3) ? file(place, text) : toolcall(id, random.chance(0.05) ? null : text, fields);
    });
    const distinct = [...new Map(documents.map((document) => [document["xt/id"], document])).values()];
    for (const store of stores) await store.commit(distinct.map((document) => ({ document, expect: "any" })));
    if (random.chance(0.5)) {
      const lost = distinct.slice(0, 5).map((document) => document["xt/id"]);
      for (const store of stores) await store.erase(lost, "leaked");
    }

    for (let n = 0; n < 40; n += 1) {
      const filter = { ...random.pick([...filters] as [Filter, ...Filter[]]), text: drawnPiece(random, texts) };
      const limit = random.pick([1, 7, 1_000]);
      const [expected, actual] = await Promise.all(stores.map((store) => idsOf(store, filter, limit)));
      expect(actual, `${JSON.stringify(filter)} by ${limit}; ${replay}`).toEqual(expected);
    }
  }
  await sqlite.close();
});

/** A store file with so many texts: `text of N`, and every tenth holds `needle N`. */
async function fileWith(count: number, from = 0, path = freshPath()): Promise<string> {
  const store = openSqliteStore({ path, synchronous: "normal" });
  const writes = Array.from({ length: count }, (_, n) => ({
    document: toolcall(
      `call ${String(n + from).padStart(5, "0")}`,
      `${n % 10 === 0 ? "Needle" : "straw"} ${n + from}.`,
    ),
    expect: "any" as const,
  }));
  await store.commit(writes);
  await store.close();
  return path;
}

const needles = { type: "toolcall", text: "nEEDLE" };

it("takes texts into the index when more than a few are new, in searches and not in commits", async () => {
  const path = await fileWith(storeLimits.searchBehindTextsMax);
  const inspecting = new Connection(new DatabaseSync(path));
  const store = openSqliteStore({ path });

  await store.find(needles);
  const withFew = reachOf(inspecting);
  await fileWith(1_000, 200, path);
  const written = reachOf(inspecting);
  const { versions } = await store.find(needles);

  expect([withFew, written]).toEqual([{ through: 0 }, { through: 0 }]);
  expect(reachOf(inspecting)).toEqual({ through: storeLimits.searchBehindTextsMax + 1_000 });
  expect(versions).toHaveLength(110);
  inspecting.close();
  await store.close();
});

it("searches a file that is open for reading, whatever its index has", async () => {
  const path = await fileWith(600);
  const before = openSqliteStore({ path, readOnly: true });
  const withoutIndex = await before.find(needles);
  const connection = new Connection(new DatabaseSync(path));
  indexMore(connection);
  const withSome = await before.find(needles);
  await fileWith(50, 600, path);

  const found = await before.find(needles);

  expect(isBehind(connection)).toBe(true);
  expect([withoutIndex, withSome, found].map(({ versions }) => versions.length)).toEqual([60, 60, 65]);
  connection.close();
  await before.close();
});

it("finds a piece of a text that is too long for the index, and of one that many objects share", async () => {
  const path = await fileWith(300);
  const store = openSqliteStore({ path, synchronous: "normal" });
  const long = `${"x".repeat(storeLimits.indexedTextBytesMax)} NEEDLE`;
  const shared = Array.from({ length: 700 }, (_, n) => toolcall(`shared ${n}`, "one needle for all"));
  await store.commit([toolcall("long", long), ...shared].map((document) => ({ document, expect: "any" })));

  const all = await idsOf(store, needles, 100);

  expect(all).toHaveLength(30 + 1 + 700);
  expect(await idsOf(store, { type: "toolcall", text: "x needle" }, 100)).toEqual(["long"]);
  await store.close();
});

it("lets go of the file when a page is full", async () => {
  const path = await fileWith(2_000);
  const store = openSqliteStore({ path });

  await store.find({ type: "toolcall", text: "." }, { limit: 1 });
  await store.find({ type: "toolcall", text: "aw " }, { limit: 1 });

  const other = new Connection(new DatabaseSync(path));
  await store.commit([{ document: toolcall("another", "text"), expect: "any" }]);
  expect(other.pragma("PRAGMA wal_checkpoint(TRUNCATE)")).toBe(0);
  other.close();
  await store.close();
});

it("answers without the index while another process keeps it from writing", async () => {
  const path = await fileWith(300);
  const store = openSqliteStore({ path, busyTimeoutMs: 1 });
  const holder = new DatabaseSync(path);
  holder.exec("BEGIN IMMEDIATE");

  const { versions } = await store.find(needles);

  expect(versions).toHaveLength(30);
  holder.exec("ROLLBACK");
  holder.close();
  await store.close();
});

it("a text that cannot be decoded is named by each search that may not leave it out, and by no other", async () => {
  const path = await fileWith(300);
  const raw = new DatabaseSync(path);
  raw.exec("DROP TRIGGER blob_fixed; UPDATE blob SET enc = 9 WHERE bid = 7");
  raw.close();
  const store = openSqliteStore({ path });
  await store.commit([{ document: file("/a", "a needle"), expect: "any" }]);

  const damaged = await store.find(needles).catch((error: unknown) => error);
  const others = await store.find({ source: { type: "filesystem" }, text: "needle" });

  expect(damaged).toMatchObject({ code: "store/corrupt", data: { id: "call 00006" } });
  expect(others.versions).toHaveLength(1);
  expect((await store.find({ type: "toolcall" })).versions).toHaveLength(300);
  await store.close();
});

it("refuses a search when the store was closed while it took texts in", async () => {
  const path = await fileWith(600);
  const store = openSqliteStore({ path });

  const search = store.find(needles);
  await store.close();

  await expect(search).rejects.toMatchObject({ code: "store/closed" });
});

it("finds everything that several processes wrote while others searched", async () => {
  const path = freshPath();
  const names = ["left", "right"];
  const searchers = names.map(() => openSqliteStore({ path }));
  let writing = true;

  const writers = Promise.all(names.map((name) => runWriter({ path, name, how: "puts", count: 50 })));
  const searches = searchers.map(async (store) => {
    while (writing) {
      await store.find({ type: "toolcall", text: "right 7 " }, { limit: 1 });
      // A search of what is in the index does not pause, and the writers' ends come as events.
      await setImmediate();
    }
  });
  const ends = await writers;
  writing = false;
  await Promise.all(searches);

  expect(ends.map(({ acknowledged }) => acknowledged)).toEqual([50, 50]);
  for (const [place, store] of searchers.entries()) {
    const found = await idsOf(store, { type: "toolcall", text: `${names[place]} 7 ${names[place]}` }, 10);
    expect(found.filter((id) => id !== "shared")).toEqual([`${names[place]}-7-0`, `${names[place]}-7-1`]);
    await store.close();
  }
});
