// @module-tag xtdb
// Verifies: SSOT 2.8: a page of `find` asks as much among many objects as among few, also in databases of before.
import {
  chatId,
  checkFind,
  coreDocumentTypes,
  everyVersion,
  type Filter,
  type ObjectDocument,
  type ObjectStore,
  sealDocument,
} from "@cm/object-model";
import { sampleTypes } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { openXtdbStore } from "../src/index.ts";
import { Names } from "../src/names.ts";
import { orderRange, orderValueIn, orderValues } from "../src/order.ts";
import { file } from "./support/documents.ts";
import { clientOfBefore } from "./support/former-store.ts";
import { freshNamespace, type LiveNode, withNode } from "./support/live-node.ts";
import { requestsOf } from "./support/requests.ts";

const call = (id: string, session: string, tool = "bash"): ObjectDocument =>
  sealDocument(
    { type: "toolcall", id },
    { content: `text of ${id}`, tool, args: {}, status: "ok", chat_ref: chatId(session) },
  );

async function put(store: ObjectStore, documents: readonly ObjectDocument[], validTime?: Date): Promise<void> {
  for (let from = 0; from < documents.length; from += 1_000) {
    const writes = documents.slice(from, from + 1_000).map((document) => ({ document, expect: "any" as const }));
    await store.commit(writes, validTime === undefined ? {} : { validTime });
  }
}

async function idsOf(store: ObjectStore, filter: Filter, limit = 200): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { id } of everyVersion((page) => store.find(filter, { ...page, limit }))) ids.push(id);
  return ids;
}

const numbered = (count: number, make: (n: string) => ObjectDocument): ObjectDocument[] =>
  Array.from({ length: count }, (_, n) => make(String(n).padStart(5, "0")));

/** Gives stores of many calls and as many files, by their number; each is filled once, for all tests that count. */
function filledStores(node: LiveNode): (objects: number) => Promise<ObjectStore> {
  const filled = new Map<number, Promise<ObjectStore>>();
  const fill = async (objects: number): Promise<ObjectStore> => {
    const store = node.open();
    const calls = numbered(objects, (n) => call(`call_${n}`, "s1"));
    const files = numbered(objects, (n) => file(`/w/src/${n}.ts`, n));
    for (const documents of [calls, files]) await put(store, documents);
    return store;
  };
  return (objects) => {
    const store = filled.get(objects) ?? fill(objects);
    filled.set(objects, store);
    return store;
  };
}

withNode("find in XTDB", (node) => {
  const storeOf = filledStores(node);

  it("asks the same for a page among 700 objects as among 150, for types, sessions, places and folders", async () => {
    const filters: readonly Filter[] = [
      { type: "toolcall" },
      { session: "s1" },
      { type: "toolcall", session: "s1", tool: "bash" },
      { type: "file", source: { type: "filesystem" } },
      { type: "file", source: { type: "filesystem", namespace: "fs", pathPrefix: "/w/src/" } },
    ];
    const counts: (readonly number[])[] = [];
    for (const objects of [150, 700]) {
      const store = await storeOf(objects);
      await store.find({ type: "toolcall" }, { limit: 1 });

      const requests: number[] = [];
      for (const filter of filters) {
        const { next } = await store.find(filter, { limit: 100 });
        // Warm: which transaction wrote an object is remembered. So what is counted is the search alone.
        await store.find(filter, { limit: 100, cursor: next ?? "" });
        requests.push((await requestsOf(() => store.find(filter, { limit: 100, cursor: next ?? "" }))).length);
      }
      counts.push(requests);
    }

    expect(counts[1]).toEqual(counts[0]);
    expect(counts[1]).toEqual(filters.map(() => 3));
  });

  it("asks the same for a page newest first and by a declared field", async () => {
    const ticket = (n: number) =>
      sealDocument(
        { type: "ticket", id: `ticket:${n}` },
        { content: null, status: n % 3 === 0 ? "open" : "done", opened_at: n },
        sampleTypes,
      );
    const counts: (readonly number[])[] = [];
    for (const objects of [150, 700]) {
      const store = node.open({ types: sampleTypes });
      await put(
        store,
        Array.from({ length: objects }, (_, n) => ticket(n)),
      );
      const requests: number[] = [];
      for (const where of [{}, { status: "open" }]) {
        const search = () => store.find({ type: "ticket", where }, { limit: 50, order: "newest" });
        const { versions } = await search();
        const newest = Array.from({ length: objects }, (_, n) => n)
          .filter((n) => !("status" in where) || n % 3 === 0)
          .slice(-50);
        expect(versions.map(({ id }) => id)).toEqual(newest.reverse().map((n) => `ticket:${n}`));
        requests.push((await requestsOf(search)).length);
      }
      counts.push(requests);
    }

    expect(counts[1]).toEqual(counts[0]);
    expect(counts[1]).toEqual([3, 3]);
  });

  it("goes through ids that are alike for longer than the index can tell apart", async () => {
    const store = node.open();
    const ids = Array.from({ length: 700 }, (_, n) => `${"x".repeat(200)}${String(n).padStart(4, "0")}`);
    await put(
      store,
      [...ids, "a", "y"].map((id) => call(id, "s1")),
    );

    expect(await idsOf(store, { type: "toolcall" }, 300)).toEqual(["a", ...ids, "y"]);
  });

  it("finds what begins like a folder's name, and below folders beyond the indexed ones", async () => {
    const store = node.open();
    const deep = `/${Array.from({ length: 40 }, (_, n) => `d${n}`).join("/")}`;
    const files = [`${deep}/a.ts`, `${deep}2/a.ts`, "/w/project/a.ts", "/w/project2/a.ts", "/other"];
    await put(
      store,
      files.map((path) => file(path, path)),
    );
    const below = (pathPrefix: string) => idsOf(store, { source: { type: "filesystem", pathPrefix } });
    const idsFor = (...paths: string[]) => paths.map((path) => file(path, path)["xt/id"]).sort();

    expect(await below("/w/project")).toEqual(idsFor("/w/project/a.ts", "/w/project2/a.ts"));
    expect(await below("/w/project/")).toEqual(idsFor("/w/project/a.ts"));
    expect(await below(`${deep}/`)).toEqual(idsFor(`${deep}/a.ts`));
    expect(await below("")).toEqual(idsFor(...files));
  });

  it("finds all that stores of before wrote, planned and kept versions too, and says so once", async () => {
    const namespace = freshNamespace();
    let now = Date.parse("2026-01-01T00:00:00.000Z");
    const open = (client = node.client) => openXtdbStore({ client, namespace, now: () => now });
    const before = open(clientOfBefore(node.client));
    await put(before, [
      ...numbered(1_100, (n) => call(`call_${n}`, "s1")),
      file("/w/src/a.ts", "a"),
      file("/w/b.ts", "b"),
    ]);
    now += 1_000;
    await put(before, [call("call_00000", "s2")], new Date(now + 60_000));
    const { results } = await before.commit([{ document: call("call_00001", "s3", "read"), expect: "any" }]);
    now += 1_000;
    await before.erase([{ id: "call_00001", version: results[0]?.token ?? "" }], "the later one goes");

    const store = open();
    const all = await idsOf(store, { type: "toolcall" });
    const again = await requestsOf(() => store.find({ type: "toolcall" }, { limit: 10 }));
    await put(store, [call("call_new", "s1")]);
    const inSession = await idsOf(store, { session: "s2" });
    now += 120_000;

    // The version of before it would be the answer of XTDB alone; the newest one was erased.
    expect(all).toEqual(
      numbered(1_100, (n) => call(`call_${n}`, "s1"))
        .map((document) => document["xt/id"])
        .filter((id) => id !== "call_00001"),
    );
    expect(again.filter((endpoint) => endpoint === "submit-tx")).toEqual([]);
    expect(inSession).toEqual([]);
    expect(await idsOf(store, { session: "s2" })).toEqual(["call_00000"]);
    expect(await idsOf(open(), { source: { type: "filesystem", pathPrefix: "/w/src/" } })).toEqual([
      file("/w/src/a.ts", "a")["xt/id"],
    ]);
    expect(await idsOf(open(), { type: "toolcall", session: "s1" })).toContain("call_new");
  });
});

withNode(
  "find in XTDB, on a node of its own",
  (node) => {
    const storeOf = filledStores(node);

    it("walks over as much for a page among 700 objects as among 150", async ({ skip }) => {
      if ((await readingBytes(node.urls)) === undefined) return skip("another server has no such figure");
      const filters: readonly Filter[] = [
        { type: "toolcall" },
        { type: "toolcall", session: "s1" },
        { source: { type: "filesystem", pathPrefix: "/w/src/" } },
      ];
      const taken: number[][] = [];
      for (const objects of [150, 700]) {
        const store = await storeOf(objects);
        const bytes: number[] = [];
        for (const filter of filters) {
          const page = () => store.find(filter, { limit: 100 });
          // What is compiled and kept once is not what a page costs.
          for (let round = 0; round < 3; round += 1) await page();
          const before = (await readingBytes(node.urls)) ?? 0;
          for (let round = 0; round < 4; round += 1) await page();
          bytes.push(((await readingBytes(node.urls)) ?? 0) - before);
        }
        taken.push(bytes);
      }

      const ratios = filters.map((_, n) => (taken[1]?.[n] ?? 0) / (taken[0]?.[n] ?? 1));
      // A walk over all of them takes three to five times as much.
      for (const ratio of ratios) expect(ratio).toBeLessThan(2);
    });
  },
  // The figures of a node count what all do on it.
  {},
);

/** Memory that the readings of a node of ours took so far. */
async function readingBytes(urls: readonly string[]): Promise<number | undefined> {
  const answer = await fetch(new URL("/metrics", urls[0]));
  const figure = /^cm_xtdb_reading_allocated_bytes_total (\d+)$/m.exec(await answer.text());
  return answer.ok ? Number(figure?.[1] ?? 0) : undefined;
}

describe("the places of objects in the index", () => {
  it("are in the order of ids in UTF-16 units, and short enough for XTDB to range over", () => {
    const names = new Names("n".repeat(64));
    const range = orderRange(names, checkFind({ type: "toolcall" }, {}, coreDocumentTypes));
    if (range === undefined) throw new Error("a type has a range");
    const ids = [
      "",
      "\u0000",
      "A",
      "a",
      "a\u0000",
      "a!",
      "}",
      "~",
      "\u007f",
      "é",
      "\u{1F600}",
      "\uFF5E",
      "\ud83d",
      "é".repeat(512),
    ];

    const places = ids.map((id) => [orderValueIn(range, id), id] as const);

    const byPlace = [...places].sort(([a], [b]) => Buffer.from(a).compare(Buffer.from(b)) as number);
    expect(byPlace.map(([, id]) => id)).toEqual([...ids].sort());
    const path = `/${"é".repeat(300)}/a`;
    const values = orderValues(names, "é".repeat(512), {
      type: "file",
      session: "s",
      location: { type: "filesystem", namespace: "x".repeat(4_096), path },
    });
    expect(Math.max(...values.map((value) => Buffer.byteLength(value)))).toBeLessThan(224);
  });
});
