import assert from "node:assert/strict";
import { limits, type ObjectDocument, type Page } from "@cm/object-model";
import { put, refused, sameDocument, textAt } from "../asking.ts";
import { toolcall } from "../samples.ts";
import type { StoreLaw } from "../store-case.ts";

const reread = "still there";

/** A sealed document with other arguments: as a caller without `sealDocument` would send it. */
function withArgs(args: unknown): ObjectDocument {
  return { ...toolcall("call_1", "a"), args };
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return { value };
}

export const bounds: readonly StoreLaw[] = [
  {
    id: "OS-120",
    clause: "SSOT 2.8",
    title: "A read takes idsPerReadMax ids and refuses one more.",
    async holds({ store }) {
      await put(store, [toolcall("call_0", "a")]);
      const ids = (count: number) => Array.from({ length: count }, (_, n) => `call_${n}`);

      assert.equal((await store.getMany(ids(limits.idsPerReadMax - 1))).size, 1);
      assert.equal((await store.getMany(ids(limits.idsPerReadMax))).size, 1);
      const error = await refused(store.getMany(ids(limits.idsPerReadMax + 1)), "store/limit");

      assert.equal(error.data.limit, "idsPerReadMax");
    },
  },
  {
    id: "OS-121",
    clause: "SSOT 2.8",
    title: "A commit takes writesPerCommitMax writes; one more is refused and nothing is written.",
    async holds({ store }) {
      const documents = Array.from({ length: limits.writesPerCommitMax + 1 }, (_, n) => toolcall(`call_${n}`, "a"));

      const error = await refused(put(store, documents), "store/limit");
      assert.equal(error.data.limit, "writesPerCommitMax");
      assert.equal((await store.getMany(["call_0"])).size, 0);
      await put(store, documents.slice(0, limits.writesPerCommitMax));

      assert.equal(
        (await store.getMany(documents.map((document) => document["xt/id"]))).size,
        limits.writesPerCommitMax,
      );
    },
  },
  {
    id: "OS-122",
    clause: "SSOT 2.8",
    title: "A page has at least one and at most pageRowsMax rows, which is also the default.",
    async holds({ store }) {
      const documents = Array.from({ length: limits.pageRowsMax + 1 }, (_, n) => toolcall(`call_${n}`, "a"));
      await put(store, documents);
      const rows = async (page?: Page) => (await store.find({ type: "toolcall" }, page)).versions.length;

      assert.equal(await rows({ limit: 1 }), 1);
      assert.equal(await rows({ limit: limits.pageRowsMax - 1 }), limits.pageRowsMax - 1);
      assert.equal(await rows({ limit: limits.pageRowsMax }), limits.pageRowsMax);
      assert.equal(await rows(), limits.pageRowsMax);
      for (const limit of [limits.pageRowsMax + 1, 0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        await refused(store.find({ type: "toolcall" }, { limit }), "store/limit");
        await refused(store.history("call_1", { limit }), "store/limit");
      }
    },
  },
  {
    id: "OS-123",
    clause: "SSOT 2.8",
    title: "Request ids and reasons are bounded, and an erasure needs a reason.",
    async holds({ store }) {
      const { requestIdCharsMax, reasonCharsMax } = limits;
      await put(store, [toolcall("call_1", "a")], { requestId: "r".repeat(requestIdCharsMax) });
      const tooLong = put(store, [toolcall("call_2", "a")], { requestId: "r".repeat(requestIdCharsMax + 1) });

      await refused(tooLong, "store/limit");
      await refused(store.erase(["call_1"], "x".repeat(reasonCharsMax + 1)), "store/limit");
      await refused(store.erase(["call_1"], ""), "store/limit");
      await refused(store.erase(["call_1"], " \n"), "store/limit");
      assert.equal(await textAt(store, "call_1"), "a");
      assert.equal((await store.getMany(["call_2"])).size, 0);

      await store.erase(["call_1"], "x".repeat(reasonCharsMax));
      assert.equal(await textAt(store, "call_1"), undefined);
    },
  },
  {
    id: "OS-124",
    clause: "SSOT 2.7",
    title: "Text of contentBytesMax bytes is kept, counted in UTF-8; one byte more is refused.",
    async holds({ store }) {
      const most = "ab\n".repeat(Math.ceil(limits.contentBytesMax / 3)).slice(0, limits.contentBytesMax);
      const wide = `${most.slice(2)}é`;
      const documents = [toolcall("call_0", most.slice(1)), toolcall("call_1", most), toolcall("call_2", wide)];

      await put(store, documents);
      for (const document of documents) assert.ok((await textAt(store, document["xt/id"])) === document.content);

      const tooLarge = { ...toolcall("call_3", "a"), content: `${most.slice(1)}é` };
      const error = await refused(put(store, [tooLarge]), "store/limit");
      assert.equal(error.data.limit, "contentBytesMax");
      assert.equal((await store.getMany(["call_3"])).size, 0);
    },
  },
  {
    id: "OS-125",
    clause: "SSOT 2.7",
    title: "JSON nested 100,000 deep is refused without a crash, and the store goes on.",
    async holds({ store }) {
      await put(store, [toolcall("call_0", reread)]);

      const error = await refused(put(store, [withArgs(nested(100_000))]), "store/limit");

      assert.equal(error.data.limit, "jsonDepthMax");
      assert.equal(await textAt(store, "call_0"), reread);
    },
  },
  {
    id: "OS-126",
    clause: "SSOT 2.7",
    title: "More than jsonValuesMax keys in one document are refused without a crash, wherever they stand.",
    async holds({ store }) {
      await put(store, [toolcall("call_0", reread)]);
      const keys: Record<string, unknown> = {};
      // Keys that are numbers are made in a twentieth of the time, and are keys to JSON.
      for (let n = 0; n <= limits.jsonValuesMax; n += 1) keys[n] = n;

      const error = await refused(put(store, [withArgs(keys)]), "store/limit");
      await refused(put(store, [Object.assign(keys, toolcall("call_1", "a"))]), "store/invalid-document");

      assert.equal(error.data.limit, "jsonValuesMax");
      assert.equal(await textAt(store, "call_0"), reread);
    },
  },
  {
    id: "OS-127",
    clause: "SSOT 2.7",
    title: "Nesting just inside the bound comes back whole.",
    async holds({ store }) {
      // The payload, `args` and `value` are levels, too.
      const document = toolcall("call_1", "a", { args: { value: nested(limits.jsonDepthMax - 3) } });

      await put(store, [document]);

      sameDocument((await store.getMany(["call_1"])).get("call_1")?.document, document);
    },
  },
];
