import assert from "node:assert/strict";
import { sha256 } from "@cm/object-model";
import { put, sameDocument, versionsOf } from "../asking.ts";
import { file, oneOfEach, toolcall } from "../samples.ts";
import type { StoreLaw } from "../store-case.ts";

export const reading: readonly StoreLaw[] = [
  {
    id: "OS-001",
    clause: "SSOT 2.1",
    title: "Ids that were never written are left out of a read.",
    async holds({ store }) {
      assert.equal((await store.getMany([])).size, 0);
      assert.equal((await store.getMany(["call_1", sha256("nothing")])).size, 0);

      await put(store, [toolcall("call_1", "a")]);

      assert.deepEqual([...(await store.getMany(["call_1", "call_2"])).keys()], ["call_1"]);
    },
  },
  {
    id: "OS-002",
    clause: "SSOT 2.2",
    title: "A document of every core type comes back as it was written.",
    async holds({ store }) {
      const documents = oneOfEach();

      await put(store, documents);

      const found = await store.getMany(documents.map((document) => document["xt/id"]));
      for (const document of documents) sameDocument(found.get(document["xt/id"])?.document, document);
    },
  },
  {
    id: "OS-003",
    clause: "SSOT 3.6",
    title: "A thousand ids are read at once, whatever their order and however many of them are unknown.",
    async holds({ store }) {
      const written = Array.from({ length: 1_000 }, (_, n) => toolcall(`call_${n}`, `text ${n}`));
      await put(store, written);
      const ids = written.map((document) => document["xt/id"]).reverse();

      const found = await store.getMany(ids.flatMap((id) => [id, `${id}_unknown`]));

      assert.equal(found.size, 1_000);
      for (const document of written) assert.equal(found.get(document["xt/id"])?.document?.content, document.content);
    },
  },
  {
    id: "OS-004",
    clause: "SSOT 2.1",
    title: "An id that is asked for twice is answered once.",
    async holds({ store }) {
      await put(store, [toolcall("call_1", "a"), toolcall("call_2", "b")]);

      const found = await store.getMany(["call_2", "call_1", "call_2", "call_2"]);

      assert.deepEqual([...found.keys()].sort(), ["call_1", "call_2"]);
    },
  },
  {
    id: "OS-005",
    clause: "SSOT 2.1",
    title: "A version carries its id, type, token, hash, both times and the basis of the commit that made it.",
    async holds({ store }) {
      const document = file("/w/a.ts", "a");
      const validTime = new Date(Date.UTC(2001, 0, 1, 0, 0, 0, 123));
      const receipt = await put(store, [document], { validTime });
      await put(store, [toolcall("call_1", "later")]);

      const version = (await store.getMany([document["xt/id"]])).get(document["xt/id"]);

      assert.ok(version);
      assert.equal(version.id, document["xt/id"]);
      assert.equal(version.type, "file");
      assert.equal(version.token, receipt.results[0]?.token);
      assert.equal(version.contentHash, document.content_hash);
      assert.equal(version.validTime.getTime(), validTime.getTime());
      assert.equal(version.transactionTime.getTime(), receipt.transactionTime.getTime());
      assert.equal(version.basis, receipt.basis);
      assert.equal(version.erased, undefined);
    },
  },
  {
    id: "OS-006",
    clause: "SSOT 3.5",
    title: "Who wrote or read a document cannot change what is stored by changing that object.",
    async holds({ store }) {
      const args = { command: "ls", list: [1] };
      await put(store, [toolcall("call_1", "a", { args })]);

      tamper(() => args.list.push(2));
      const found = (await store.getMany(["call_1"])).get("call_1")?.document;
      tamper(() => Object.assign(found ?? {}, { content: "b" }));
      tamper(() => Object.assign(found?.args ?? {}, { command: "rm" }));

      sameDocument(
        (await store.getMany(["call_1"])).get("call_1")?.document,
        toolcall("call_1", "a", { args: { command: "ls", list: [1] } }),
      );
    },
  },
  {
    id: "OS-007",
    clause: "SSOT 1.3",
    title: "A date that a store gave out can be changed by its holder without changing the store.",
    async holds({ store }) {
      const validTime = new Date(Date.UTC(2001, 0, 1));
      const receipt = await put(store, [toolcall("call_1", "a")], { validTime });
      const transactionMs = receipt.transactionTime.getTime();

      validTime.setTime(0);
      receipt.transactionTime.setTime(0);
      (await versionsOf(store, "call_1"))[0]?.validTime.setTime(0);

      const version = (await store.getMany(["call_1"])).get("call_1");
      assert.equal(version?.validTime.getTime(), Date.UTC(2001, 0, 1));
      assert.equal(version?.transactionTime.getTime(), transactionMs);
    },
  },
  {
    id: "OS-008",
    clause: "SSOT 2.8",
    title: "Documents whose texts may come later say the same, also once the store has gone on.",
    async holds({ store }) {
      const documents = [...oneOfEach(), toolcall("call_long", "a text worth packing. ".repeat(2_000))];
      await put(store, documents);

      const found = await store.getMany(
        documents.map((document) => document["xt/id"]),
        undefined,
        { texts: "later" },
      );
      await put(store, [file("/w/later.ts", "written in between")]);

      for (const document of documents) {
        const read = found.get(document["xt/id"])?.document;
        assert.deepEqual(Object.keys(read ?? {}).sort(), Object.keys(document).sort());
        sameDocument(read, document);
        assert.equal(read?.content, document.content);
      }
    },
  },
];

/** Frozen objects throw, copies do not mind: both keep the promise. */
function tamper(change: () => unknown): void {
  try {
    change();
  } catch (error) {
    assert.ok(error instanceof TypeError);
  }
}
