import assert from "node:assert/strict";
import { type Filter, type FindOptions, limits, type ObjectStore, sessionObjectId } from "@cm/object-model";
import { pagesOf, put, refused } from "../asking.ts";
import { future, past } from "../clock.ts";
import { ticket, toolcall } from "../samples.ts";
import type { StoreLaw } from "../store-case.ts";

/** Names of the tickets found, in order. */
async function found(
  store: ObjectStore,
  where: Filter["where"],
  options: FindOptions = {},
): Promise<readonly string[]> {
  const filter = { type: "ticket", ...(where === undefined ? {} : { where }) };
  const pages = await pagesOf((page) => store.find(filter, page), options);
  return pages.flat().map(({ id }) => id.slice("ticket:".length));
}

const newest = { order: "newest" } as const;

export const findWhere: readonly StoreLaw[] = [
  {
    id: "OS-160",
    clause: "SSOT 2.8",
    title: "Objects are found by the fields that their type declares as indexed, all of those asked for together.",
    async holds({ store }) {
      await put(store, [
        ticket("a", { status: "open", owner: "ada" }),
        ticket("b", { status: "open", owner: "bob" }),
        ticket("c", { status: "done", owner: "ada" }),
        ticket("d", { status: "open", owner: null }),
        ticket("e", { status: "Open" }),
        toolcall("call_1", "x", { status: "ok" }),
      ]);

      assert.deepEqual(await found(store, { status: "open" }), ["a", "b", "d"]);
      assert.deepEqual(await found(store, { status: "open", owner: "ada" }), ["a"]);
      assert.deepEqual(await found(store, { owner: null }), ["d"]);
      assert.deepEqual(await found(store, { owner: "null" }), []);
      assert.deepEqual(await found(store, { status: "ope" }), []);
      assert.deepEqual(await found(store, { status: undefined, owner: "bob" }), ["b"]);
      assert.deepEqual(await found(store, {}), ["a", "b", "c", "d", "e"]);
      assert.deepEqual(await found(store, undefined), ["a", "b", "c", "d", "e"]);
    },
  },
  {
    id: "OS-161",
    clause: "SSOT 2.8",
    title: "An object contains another one with some of its members, at every depth; numbers and texts are told apart.",
    async holds({ store }) {
      await put(store, [
        ticket("a", { labels: { team: "core", size: 3, deep: { region: "eu", zone: "1" } } }),
        ticket("b", { labels: { team: "core", size: "3", deep: { region: "eu" } } }),
        ticket("c", { labels: { team: "core team", deep: "eu" } }),
        ticket("d", { labels: "team" }),
        ticket("e"),
      ]);

      assert.deepEqual(await found(store, { labels: { team: "core" } }), ["a", "b"]);
      assert.deepEqual(await found(store, { labels: { team: "core", size: 3 } }), ["a"]);
      assert.deepEqual(await found(store, { labels: { size: "3" } }), ["b"]);
      assert.deepEqual(await found(store, { labels: { deep: { region: "eu" } } }), ["a", "b"]);
      assert.deepEqual(await found(store, { labels: { deep: { region: "eu", zone: "1" } } }), ["a"]);
      assert.deepEqual(await found(store, { labels: { deep: {} } }), ["a", "b"]);
      assert.deepEqual(await found(store, { labels: {} }), ["a", "b", "c"]);
      assert.deepEqual(await found(store, { labels: "team" }), ["d"]);
      assert.deepEqual(await found(store, { labels: { region: "eu" } }), []);
    },
  },
  {
    id: "OS-162",
    clause: "SSOT 2.8",
    title: "An array contains another one whose elements all are among its own.",
    async holds({ store }) {
      await put(store, [
        ticket("a", { labels: { tags: ["x", "y", { n: 1, m: [2] }] } }),
        ticket("b", { labels: { tags: ["y"] } }),
        ticket("c", { labels: { tags: "y" } }),
        ticket("d", { labels: { tags: { 0: "y" } } }),
        ticket("e", { labels: ["tags", "y"] }),
      ]);

      assert.deepEqual(await found(store, { labels: { tags: ["y"] } }), ["a", "b"]);
      assert.deepEqual(await found(store, { labels: { tags: ["y", "x", "y"] } }), ["a"]);
      assert.deepEqual(await found(store, { labels: { tags: [] } }), ["a", "b"]);
      assert.deepEqual(await found(store, { labels: { tags: [{ m: [2], n: 1 }] } }), ["a"]);
      assert.deepEqual(await found(store, { labels: { tags: [{ n: 1 }] } }), []);
      assert.deepEqual(await found(store, { labels: ["y"] }), ["e"]);
    },
  },
  {
    id: "OS-163",
    clause: "SSOT 2.8",
    title:
      "Indexed values may be any text: as long as a document takes, with quotes, NULs and what means more elsewhere.",
    async holds({ store }) {
      const long = "long ".repeat(2_000);
      const odd = ['a"b', "a'b", "a\0b", "50%_", "\\", "\u{1f600}", "\uffff", "$k", "é", "", "[]", "{}", "true"];
      await put(store, [
        ...odd.map((status, n) => ticket(`odd${n}`, { status, labels: { [`key ${status}`]: n } })),
        ticket("long1", { status: `${long}1` }),
        ticket("long2", { status: `${long}2` }),
        ticket("proto", { status: "p", labels: JSON.parse('{"__proto__":{"a":1},"constructor":2}') }),
      ]);

      for (const [n, status] of odd.entries()) {
        assert.deepEqual(await found(store, { status }), [`odd${n}`]);
        assert.deepEqual(await found(store, { labels: { [`key ${status}`]: n } }), [`odd${n}`]);
      }
      assert.deepEqual(await found(store, { status: `${long}2` }), ["long2"]);
      assert.deepEqual(await found(store, { labels: JSON.parse('{"__proto__":{"a":1}}') }), ["proto"]);
      assert.deepEqual(await found(store, { labels: { constructor: 2 } }), ["proto"]);
      assert.deepEqual(await found(store, { labels: { toString: {} } }), []);
    },
  },
  {
    id: "OS-164",
    clause: "SSOT 2.1",
    title:
      "Only the version valid now is found by its fields: neither older, nor planned, nor back-dated, nor erased ones.",
    async holds({ store, clock }) {
      await put(store, [ticket("a", { status: "old" }), ticket("b", { status: "kept" })]);
      clock.advance(1);
      await put(store, [ticket("a", { status: "new" })]);
      await put(store, [ticket("a", { status: "planned" })], { validTime: future(1) });
      await put(store, [ticket("a", { status: "earlier" })], { validTime: past(1) });
      await put(store, [ticket("c", { status: "planned" })], { validTime: future(1) });

      assert.deepEqual(await found(store, { status: "new" }), ["a"]);
      for (const status of ["old", "planned", "earlier"]) assert.deepEqual(await found(store, { status }), []);
      assert.deepEqual(await found(store, undefined, newest), ["a", "b"]);

      await store.erase(["ticket:b"], "not needed");
      assert.deepEqual(await found(store, { status: "kept" }), []);
      assert.deepEqual(await found(store, undefined, newest), ["a"]);
      await put(store, [ticket("b", { status: "kept", note: "again" })]);
      assert.deepEqual(await found(store, { status: "kept" }), ["b"]);
    },
  },
  {
    id: "OS-165",
    clause: "SSOT 2.8",
    title: "A planned version is found by its fields from when it holds, and then the one before it no more.",
    async holds({ store, clock }) {
      await put(store, [ticket("a", { status: "first", opened_at: 1 }), ticket("b", { opened_at: 5 })]);
      await put(store, [ticket("a", { status: "second", opened_at: 9 })], { validTime: new Date(clock.now() + 10) });

      assert.deepEqual(await found(store, { status: "first" }), ["a"]);
      assert.deepEqual(await found(store, undefined, newest), ["b", "a"]);
      clock.advance(10);

      assert.deepEqual(await found(store, { status: "first" }), []);
      assert.deepEqual(await found(store, { status: "second" }), ["a"]);
      assert.deepEqual(await found(store, undefined, newest), ["a", "b"]);
    },
  },
  {
    id: "OS-166",
    clause: "SSOT 2.8",
    title: "Newest first: by the number in the declared field, the greatest first, equal and absent ones by id.",
    async holds({ store }) {
      const times: readonly unknown[] = [5, 7, 7, 5, undefined, "9", -3, 1.5, Number.MAX_SAFE_INTEGER, 7];
      await put(
        store,
        times.map((time, n) => ticket(`${n}`, time === undefined ? {} : { opened_at: time })),
      );
      const expected = ["8", "1", "2", "9", "0", "3", "4", "5", "6", "7"];

      for (const limit of [1, 2, 3, 9, 10, 11]) {
        assert.deepEqual(await found(store, undefined, { ...newest, limit }), expected);
        assert.deepEqual(await found(store, { status: "open" }, { ...newest, limit }), expected);
      }
      assert.deepEqual(
        await found(store, { status: "open" }, { limit: 3 }),
        times.map((_, n) => `${n}`),
      );
    },
  },
  {
    id: "OS-167",
    clause: "SSOT 2.8",
    title: "A page newest first goes on where the last one ended, whatever was written, changed or erased meanwhile.",
    async holds({ store, clock }) {
      await put(
        store,
        ["a", "b", "c", "d", "e"].map((name, n) => ticket(name, { opened_at: 10 * (n + 1) })),
      );
      const ask = (cursor?: string) =>
        store.find(
          { type: "ticket", where: { status: "open" } },
          { ...newest, limit: 2, ...(cursor ? { cursor } : {}) },
        );
      const first = await ask();
      clock.advance(1);

      await put(store, [
        ticket("f", { opened_at: 60 }),
        ticket("g", { opened_at: 70 }),
        ticket("b", { opened_at: 20, status: "done" }),
      ]);
      await store.erase(["ticket:d"], "not needed");
      const second = await ask(first.next);

      assert.deepEqual(
        [...first.versions, ...second.versions].map(({ id }) => id),
        ["ticket:e", "ticket:d", "ticket:c", "ticket:a"],
      );
      assert.equal(second.next, undefined);
      const mistaken = await store.find({ type: "ticket" }, { ...newest, cursor: "no cursor" });
      assert.equal(mistaken.versions.length, 6);
    },
  },
  {
    id: "OS-168",
    clause: "SSOT 2.8",
    title:
      "What a type does not declare is not asked for: such a filter is refused, with the field of another type, too.",
    async holds({ store }) {
      await put(store, [ticket("a"), toolcall("call_1", "x")]);

      await refused(store.find({ type: "ticket", where: { note: "x" } }), "store/unsupported");
      await refused(
        store.find({ type: "ticket", where: { status: "open", "xt/id": "ticket:a" } }),
        "store/unsupported",
      );
      await refused(store.find({ type: "toolcall", where: { status: "ok" } }), "store/unsupported");
      await refused(store.find({ session: "s1", where: { status: "open" } }), "store/unsupported");
      await refused(store.find({ type: "no type", where: { status: "open" } }), "store/unsupported");
      await refused(store.find({ type: "toolcall" }, newest), "store/unsupported");
      await refused(store.find({ session: "s1" }, newest), "store/unsupported");
      await refused(store.find({ type: "ticket", text: "x" }, newest), "store/unsupported");
      await refused(store.find({ type: "ticket", path: "x" }, newest), "store/unsupported");
      await refused(store.find({ type: "ticket", source: { type: "filesystem" } }, newest), "store/unsupported");
      await refused(store.find({ type: "ticket", where: { status: () => "open" } }), "store/unsupported");
    },
  },
  {
    id: "OS-169",
    clause: "SSOT 2.8",
    title: "Other conditions of the filter hold together with those on fields.",
    async holds({ store }) {
      const session_ref = sessionObjectId("s1");
      await put(store, [
        ticket("a", { session_ref, opened_at: 1 }),
        ticket("b", { session_ref, opened_at: 2, status: "done" }),
        ticket("c", { opened_at: 3 }),
        ticket("d", { session_ref, opened_at: 4 }),
      ]);
      const asked = { type: "ticket", session: "s1", where: { status: "open" } };

      const byId = await store.find(asked, { documents: true });
      const byTime = await store.find(asked, newest);

      assert.deepEqual(
        byId.versions.map(({ id, document }) => [id, document?.status]),
        [
          ["ticket:a", "open"],
          ["ticket:d", "open"],
        ],
      );
      assert.deepEqual(
        byTime.versions.map(({ id }) => id),
        ["ticket:d", "ticket:a"],
      );
    },
  },
  {
    id: "OS-170",
    clause: "SSOT 2.8",
    title: "Indexed members are bounded in a document and in a filter; one more is refused and nothing is written.",
    async holds({ store }) {
      // `status` and the object `labels` are keys, too.
      const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));
      await put(store, [ticket("a", { labels: members(limits.indexKeysMax - 2) })]);

      const tooMany = await refused(
        put(store, [ticket("b", { labels: members(limits.indexKeysMax - 1) })]),
        "store/limit",
      );
      const tooMuch = await refused(
        store.find({ type: "ticket", where: { labels: members(limits.whereKeysMax) } }),
        "store/limit",
      );

      assert.equal(tooMany.data.limit, "indexKeysMax");
      assert.equal(tooMuch.data.limit, "whereKeysMax");
      assert.deepEqual(await found(store, { labels: members(limits.whereKeysMax - 1) }), ["a"]);
      assert.deepEqual(await found(store, undefined), ["a"]);
    },
  },
];
