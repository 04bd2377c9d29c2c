// @module-tag process
// @module-tag long
// Verifies: SSOT 2.8 (find by text): an index narrows a search down and never changes its answer, and an erasure reaches it.
import { createMemoryStore, type Filter, type ObjectStore } from "@cm/object-model";
import { objectStoreSuite } from "@cm/testkit";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { ChangeHints } from "../src/change-hints.ts";
import { addressOf } from "../src/connection-options.ts";
import { migratePostgresStore, openPostgresStore } from "../src/index.ts";
import { storeLimits } from "../src/limits.ts";
import { databaseAt } from "../src/open-store.ts";
import { PostgresStore } from "../src/postgres-store.ts";
import { TextIndex, type TextIndexBounds } from "../src/text-index/text-index.ts";
import { file, testTypes, toolcall } from "./support/documents.ts";
import { makeVersion1 } from "./support/older-store.ts";
import { freshSchema, withPostgres } from "./support/on-postgres.ts";
import { campaign, createRandom, type Random, runSeed } from "./support/random.ts";

/** Every search takes in what is new, in small blocks. */
const eager: TextIndexBounds = {
  searchBehindTextsMax: 0,
  indexBlockTextsMax: 7,
  indexBlockBytesMax: 4_096,
  indexBlocksPerSearchMax: 100,
};

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
  "%",
  "_",
  "É",
  "é",
  "ß",
  "İ",
  "Σ",
  "ς",
  "\u{1f600}",
  "\u{10400}",
];

const drawnText = (random: Random, most: number) =>
  Array.from({ length: random.below(most) }, () => random.pick(characters as [string, ...string[]])).join("");

/** Mostly out of a text that was written, in another case, now and then cut through a character. */
function drawnPiece(random: Random, texts: readonly string[]): string {
  if (random.chance(0.2)) return drawnText(random, 6);
  const text = texts[random.below(texts.length)] ?? "";
  const from = random.below(text.length + 1);
  const piece = text.slice(from, from + random.below(9));
  return random.chance(0.5) ? piece.toUpperCase() : piece;
}

async function idsOf(store: ObjectStore, filter: Filter, limit = 1_000): Promise<readonly string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.find(filter, { limit, ...(cursor === undefined ? {} : { cursor }) });
    ids.push(...page.versions.map(({ id }) => id));
    cursor = page.next;
  } while (cursor !== undefined);
  return ids;
}

const filters: readonly [Filter, ...Filter[]] = [
  { type: "toolcall" },
  { session: "s1" },
  { source: { type: "filesystem", pathPrefix: "/a" } },
  { type: "file", path: "1" },
  { type: "toolcall", session: "s2", tool: "read" },
];

const needles = { type: "toolcall", text: "nEEDLE" };
const name = (n: number) => `call ${String(n).padStart(5, "0")}`;
/** Every tenth holds `needle N`. */
const straws = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => ({
    document: toolcall(name(n + from), `${n % 10 === 0 ? "Needle" : "straw"} ${n + from}.`),
    expect: "any" as const,
  }));

withPostgres("a search for a text", (postgres) => {
  /** A store whose index has other bounds. */
  async function indexed(
    bounds: TextIndexBounds = eager,
    setting: { readonly types?: typeof testTypes; readonly now?: () => number } = {},
    url = postgres.url,
  ) {
    const schema = freshSchema();
    await migratePostgresStore({ url: postgres.url, schema });
    return at(schema, bounds, setting, url);
  }
  function at(
    schema: string,
    bounds: TextIndexBounds = eager,
    { types = testTypes, now }: { readonly types?: typeof testTypes; readonly now?: () => number } = {},
    url = postgres.url,
  ) {
    const address = addressOf(url, schema);
    const database = databaseAt(address, { connections: 4 });
    const [texts, hints] = [new TextIndex(database, bounds), new ChangeHints(database, address)];
    const store = new PostgresStore(database, { types, now, shown: "", texts, hints, prepare: async () => {} });
    onTestFinished(() => store.close());
    return { store, schema };
  }
  async function ownerOf(schema: string) {
    const owner = new pg.Client(postgres.url);
    await owner.connect();
    await owner.query(`SET search_path = ${schema}`);
    onTestFinished(() => owner.end());
    return owner;
  }
  /** One by one: texts of one commit are in the order of their hashes. */
  async function putInOrder(store: ObjectStore, count: number) {
    for (const write of straws(count)) await store.commit([write]);
  }
  const blocksOf = async (owner: pg.Client) =>
    (await owner.query("SELECT from_bid, through_bid FROM text_block ORDER BY from_bid")).rows.map(
      ({ from_bid, through_bid }) => [from_bid, through_bid],
    );

  for (const { id, clause, title, run } of objectStoreSuite.cases) {
    if (!/^OS-(?:085|09[2-9])$/.test(id)) continue;
    it(`${id} (${clause}) ${title} With an index.`, () =>
      run(async (setting) => (await indexed(eager, setting)).store, { timeoutMs: 590_000 }));
  }

  const title = "answers as the memory store does, whatever of the texts is in the index";
  it(title, async () => {
    const { seed, replay } = runSeed(title);
    const random = createRandom(seed);
    const setting = { types: testTypes, now: () => 1_000 };
    const { store: postgresStore, schema } = await indexed(
      { ...eager, searchBehindTextsMax: random.below(150) },
      setting,
    );
    const stores = [createMemoryStore(setting), postgresStore];
    const texts: string[] = [];
    for (let round = 0; round < (campaign ? 40 : 2); round += 1) {
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
        const filter = { ...random.pick(filters), text: drawnPiece(random, texts) };
        const limit = random.pick([1, 7, 1_000]);
        const [expected, actual] = await Promise.all(stores.map((store) => idsOf(store, filter, limit)));
        expect(actual, `${JSON.stringify(filter)} by ${limit}; ${replay}`).toEqual(expected);
      }
    }

    expect((await blocksOf(await ownerOf(schema))).length).toBeGreaterThan(0);
    expect(await postgresStore.check()).toMatchObject({ problems: [] });
  });

  it("fills the index when many texts are new, and commits do not", async () => {
    const { store, schema } = await indexed(storeLimits);
    const owner = await ownerOf(schema);
    await store.commit(straws(storeLimits.searchBehindTextsMax));
    const few = await idsOf(store, needles);
    const withFew = await blocksOf(owner);
    await store.commit(straws(100, 1_000));
    const written = await blocksOf(owner);

    const many = await idsOf(store, needles);

    expect([few.length, withFew, written]).toEqual([50, [], []]);
    expect(many).toHaveLength(60);
    expect(await blocksOf(owner)).toEqual([[1, 600]]);
    await store.commit(straws(20, 2_000));
    expect(await idsOf(store, needles)).toHaveLength(62);
  });

  it("reads of the texts those that the index names", async () => {
    const { store, schema } = await indexed();
    const owner = await ownerOf(schema);
    await putInOrder(store, 100);
    await idsOf(store, needles);
    // Texts that no search that leaves them out can notice.
    await owner.query("SET session_replication_role = replica");
    await owner.query("UPDATE blob SET enc = 9 WHERE bid % 10 <> 1");

    expect(await idsOf(store, needles)).toHaveLength(10);
    await expect(idsOf(store, { type: "toolcall", text: "straw" })).rejects.toMatchObject({
      code: "store/corrupt",
      data: { id: name(1) },
    });
  });

  it("names a text that cannot be decoded where it may not leave it out", async () => {
    const { store, schema } = await indexed();
    const owner = await ownerOf(schema);
    await putInOrder(store, 30);
    await owner.query("SET session_replication_role = replica");
    await owner.query("UPDATE blob SET enc = 9 WHERE bid = 7");

    await expect(idsOf(store, needles)).rejects.toMatchObject({ code: "store/corrupt", data: { id: name(6) } });

    expect(await blocksOf(owner)).toHaveLength(5);
    await expect(idsOf(store, { type: "toolcall", text: "not there" })).rejects.toMatchObject({
      code: "store/corrupt",
    });
  });

  it("finds a text that is common by a bit for each, page by page", async () => {
    const { store } = await indexed({ ...eager, indexBlockTextsMax: 500 });
    await store.commit(straws(1_000));
    await store.commit(straws(1_000, 1_000));

    expect(await idsOf(store, { type: "toolcall", text: "STRAW" }, 100)).toHaveLength(1_800);
    expect(await idsOf(store, { type: "toolcall", text: "needle 1" }, 7)).toHaveLength(
      await idsOf(store, needles).then(
        (ids) => ids.filter((id) => Number(id.slice(5)).toString().startsWith("1")).length,
      ),
    );
  });

  it("has nothing of an erased text in the index, and the others of its block come into it again", async () => {
    const { store, schema } = await indexed({ ...eager, indexBlockTextsMax: 10 });
    const owner = await ownerOf(schema);
    await putInOrder(store, 30);
    await idsOf(store, needles);
    const before = await blocksOf(owner);

    await store.erase([name(10), name(12)], "leaked");

    const rows = async () => (await owner.query("SELECT DISTINCT from_bid FROM text_entry ORDER BY from_bid")).rows;
    expect(before).toEqual([
      [1, 10],
      [11, 20],
      [21, 30],
    ]);
    expect(await blocksOf(owner)).toEqual([
      [1, 10],
      [21, 30],
    ]);
    expect((await rows()).map(({ from_bid }) => from_bid)).toEqual([1, 21]);
    expect(await idsOf(store, needles)).toEqual([name(0), name(20)]);
    expect(await blocksOf(owner)).toEqual(before);
    expect(await idsOf(store, { type: "toolcall", text: "straw 19" })).toEqual([name(19)]);
    expect(await store.check()).toMatchObject({ problems: [] });
  });

  it("keeps to the rights of its role: who may only read searches, and fills nothing", async () => {
    const schema = freshSchema();
    const owner = await ownerOf("public");
    for (const role of ["r", "w"]) await owner.query(`CREATE ROLE ${role}_${schema} LOGIN`);
    await migratePostgresStore({
      url: postgres.url,
      schema,
      grants: [
        { role: `r_${schema}`, may: "read" },
        { role: `w_${schema}`, may: "write" },
      ],
    });
    const as = (role: string) => at(schema, eager, {}, postgres.url.replace("cm@", `${role}_${schema}@`)).store;
    await as("w").commit(straws(40));
    await owner.query(`SET search_path = ${schema}`);

    expect(await idsOf(as("r"), needles)).toHaveLength(4);
    expect(await blocksOf(owner)).toEqual([]);
    expect(await idsOf(as("w"), needles)).toHaveLength(4);
    expect((await blocksOf(owner)).length).toBe(6);
    expect(await idsOf(as("r"), needles)).toHaveLength(4);
  });

  it("needs no index: a store of an older schema version is searched, and raised with the rights of its roles", async () => {
    const schema = freshSchema();
    await makeVersion1(postgres.url, schema);
    const owner = await ownerOf(schema);
    await owner.query(`CREATE ROLE w_${schema} LOGIN; GRANT USAGE ON SCHEMA ${schema} TO w_${schema};
      GRANT EXECUTE ON FUNCTION ${["get_many_1", "find_1", "commit_1"].join(`, `)} TO w_${schema}`);
    const writing = () => at(schema, eager, {}, postgres.url.replace("cm@", `w_${schema}@`)).store;
    const older = writing();
    await older.commit(straws(40));

    expect(await idsOf(older, needles)).toHaveLength(4);
    await (await openPostgresStore({ url: postgres.url, schema })).close();

    expect(await idsOf(older, needles)).toHaveLength(4);
    expect(await blocksOf(owner)).toEqual([]);
    expect(await idsOf(writing(), needles)).toHaveLength(4);
    expect((await blocksOf(owner)).length).toBe(6);
  });

  it("finds everything that clients write while others search and one erases", async () => {
    const { store, schema } = await indexed();
    const searchers = [at(schema).store, at(schema).store];
    const written: string[] = [];
    let isWriting = true;
    const writing = (async () => {
      for (let n = 0; n < 60; n += 1) {
        await store.commit(
          straws(5, 5 * n).map(({ document }, k) => ({
            document: toolcall(document["xt/id"], `needle ${5 * n + k} of all`),
            expect: "any" as const,
          })),
        );
        for (let k = 0; k < 5; k += 1) written.push(name(5 * n + k));
        if (n % 10 === 9) await store.erase([name(5 * n)], "leaked");
      }
      isWriting = false;
    })();
    const searching = searchers.map(async (searcher) => {
      while (isWriting) {
        const known = written.slice();
        const found = new Set(await idsOf(searcher, { type: "toolcall", text: "of ALL" }));
        expect(known.filter((id) => !found.has(id) && Number(id.slice(5)) % 50 !== 45)).toEqual([]);
      }
    });
    await Promise.all([writing, ...searching]);

    expect(await idsOf(store, { type: "toolcall", text: "of ALL" })).toHaveLength(294);
    expect(await idsOf(store, { type: "toolcall", text: "needle 299 of" })).toEqual([name(299)]);
    expect(await store.check()).toMatchObject({ problems: [] });
  });
});
