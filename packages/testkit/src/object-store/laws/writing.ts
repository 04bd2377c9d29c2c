import assert from "node:assert/strict";
import { anyway, put, refused, sameDocument, textAt, textsOf, versionsOf } from "../asking.ts";
import { past } from "../clock.ts";
import { file, fileId, paper, sessionHead, toolcall } from "../samples.ts";
import type { StoreLaw } from "../store-case.ts";

export const writing: readonly StoreLaw[] = [
  {
    id: "OS-014",
    clause: "SSOT 2.8",
    title: "One failed expectation among many writes leaves all of them unwritten.",
    async holds({ store }) {
      await put(store, [toolcall("call_2", "old")]);

      const error = await refused(
        store.commit([
          anyway(toolcall("call_1", "a")),
          { document: toolcall("call_2", "new"), expect: "absent" },
          anyway(toolcall("call_3", "c")),
        ]),
        "store/conflict",
      );

      assert.deepEqual(error.data.ids, ["call_2"]);
      assert.deepEqual([...(await store.getMany(["call_1", "call_2", "call_3"])).keys()], ["call_2"]);
      assert.deepEqual(await textsOf(store, "call_2"), ["old"]);
      assert.equal((await store.history("call_1")).versions.length, 0);
    },
  },
  {
    id: "OS-015",
    clause: "SSOT 2.8",
    title: "One invalid document among many leaves all of them unwritten.",
    async holds({ store }) {
      const forged = { ...toolcall("call_2", "b"), content: "changed" };

      await refused(put(store, [toolcall("call_1", "a"), forged, toolcall("call_3", "c")]), "store/invalid-document");

      assert.equal((await store.getMany(["call_1", "call_2", "call_3"])).size, 0);
    },
  },
  {
    id: "OS-016",
    clause: "SSOT 2.8",
    title: "All writes of a commit are there, with one result each, in order.",
    async holds({ store }) {
      const documents = [toolcall("z", "1"), toolcall("a", "2"), file("/w/m.ts", "3")];

      const receipt = await put(store, documents);

      const ids = documents.map((document) => document["xt/id"]);
      assert.deepEqual(
        receipt.results.map(({ id }) => id),
        ids,
      );
      assert.deepEqual(
        receipt.results.map(({ outcome }) => outcome),
        ["written", "written", "written"],
      );
      assert.equal((await store.getMany(ids)).size, 3);
    },
  },
  {
    id: "OS-017",
    clause: "SSOT 2.8",
    title: "An object may stand once in a commit.",
    async holds({ store }) {
      await refused(put(store, [toolcall("call_1", "a"), toolcall("call_1", "b")]), "store/invalid-document");
      await refused(put(store, [toolcall("call_1", "a"), toolcall("call_1", "a")]), "store/invalid-document");

      assert.equal((await store.getMany(["call_1"])).size, 0);
    },
  },
  {
    id: "OS-018",
    clause: "SSOT 5.6",
    title: "A write that says what already holds is `unchanged`, adds no version and keeps the token.",
    async holds({ store }) {
      const first = await put(store, [file("/w/a.ts", "a")]);

      const second = await put(store, [file("/w/a.ts", "a"), file("/w/b.ts", "b")]);

      assert.deepEqual(
        second.results.map(({ outcome }) => outcome),
        ["unchanged", "written"],
      );
      assert.equal(second.results[0]?.token, first.results[0]?.token);
      assert.deepEqual(await textsOf(store, fileId("/w/a.ts")), ["a"]);
    },
  },
  {
    id: "OS-019",
    clause: "SSOT 2.2",
    title: "A change of the source hash alone is a new version.",
    async holds({ store }) {
      const [first, second] = [file("/w/a.ts", null), file("/w/a.ts", null, { etag: "etag-2" })];
      assert.equal(first.content_hash, second.content_hash);
      await put(store, [first]);

      const receipt = await put(store, [second]);

      assert.equal(receipt.results[0]?.outcome, "written");
      const versions = await versionsOf(store, first["xt/id"]);
      assert.deepEqual(
        versions.map(({ document }) => document?.source_hash),
        ["etag-2", undefined],
      );
    },
  },
  {
    id: "OS-020",
    clause: "SSOT 1.3",
    title: "Going back to an earlier text is a new version; history keeps all of them.",
    async holds({ store, clock }) {
      for (const text of ["a", "b", "a"]) {
        clock.advance(1);
        await put(store, [file("/w/a.ts", text)]);
      }

      assert.deepEqual(await textsOf(store, fileId("/w/a.ts")), ["a", "b", "a"]);
    },
  },
  {
    id: "OS-021",
    clause: "SSOT 2.2",
    title: "A write that would change an object's type is refused and writes nothing.",
    async holds({ store }) {
      const note = paper("note", "paper:1", "a");
      await put(store, [note]);

      await refused(put(store, [toolcall("call_1", "x"), paper("memo", "paper:1", "b")]), "store/envelope-changed");
      await refused(put(store, [paper("memo", "paper:1", "a")]), "store/envelope-changed");
      await refused(put(store, [paper("memo", "paper:1", "b")], { validTime: past(1) }), "store/envelope-changed");

      sameDocument((await store.getMany(["paper:1"])).get("paper:1")?.document, note);
      assert.deepEqual(await textsOf(store, "paper:1"), ["a"]);
      assert.equal((await store.getMany(["call_1"])).size, 0);
    },
  },
  {
    id: "OS-022",
    clause: "SSOT 2.4",
    title: "A document whose envelope does not match its id or hashes is refused.",
    async holds({ store }) {
      const document = file("/w/a.ts", "a");
      const other = file("/w/b.ts", "a");
      await put(store, [document]);

      for (const forged of [
        { ...document, source: other.source },
        { ...document, "xt/id": other["xt/id"] },
        { ...document, identity_hash: other.identity_hash },
        { ...document, type: "note" },
        { ...document, source: null },
        { ...document, content: "b" },
        { ...document, char_count: 2 },
        { ...document, content_hash: file("/w/a.ts", "b").content_hash },
      ]) {
        await refused(put(store, [forged]), "store/invalid-document");
      }

      assert.deepEqual(await textsOf(store, document["xt/id"]), ["a"]);
    },
  },
  {
    id: "OS-023",
    clause: "SSOT 2.8",
    title: "An empty commit is a transaction like others: it has a basis that can be read at.",
    async holds({ store }) {
      await put(store, [toolcall("call_1", "a")]);

      const receipt = await store.commit([]);

      assert.deepEqual(receipt.results, []);
      assert.equal(await textAt(store, "call_1", receipt.basis), "a");
    },
  },
  {
    id: "OS-025",
    clause: "SSOT 2.2",
    title: "A change of any field is a new version, also where the text is the same or absent.",
    async holds({ store, clock }) {
      await put(store, [sessionHead("s1", 0), toolcall("call_1", "a")]);
      clock.advance(1);

      const receipt = await put(store, [sessionHead("s1", 1), toolcall("call_1", "a", { status: "fail" })]);

      assert.deepEqual(
        receipt.results.map(({ outcome }) => outcome),
        ["written", "written"],
      );
      assert.equal((await store.getMany(["session:s1"])).get("session:s1")?.document?.next_step, 1);
      assert.equal((await store.getMany(["call_1"])).get("call_1")?.document?.status, "fail");
    },
  },
];
