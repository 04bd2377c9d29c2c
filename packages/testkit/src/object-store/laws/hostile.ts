import assert from "node:assert/strict";
import { type ObjectDocument, type PayloadOf, sealDocument } from "@cm/object-model";
import { hostileTexts } from "../../random/texts.ts";
import { put, refused, sameDocument, textAt, textsOf } from "../asking.ts";
import { file, fileId, toolcall } from "../samples.ts";
import type { StoreLaw } from "../store-case.ts";

const prototypeKeys = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "__defineGetter__"];

/** JSON.parse makes own properties of such keys; an object literal would not. */
const parsedArgs = (json: string): PayloadOf<"toolcall">["args"] => JSON.parse(json);

export const hostile: readonly StoreLaw[] = [
  {
    id: "OS-130",
    clause: "SSOT 3.5",
    title: "Names of prototype members are ids like others: unknown until written, then read, listed and erased.",
    async holds({ store }) {
      assert.equal((await store.getMany(prototypeKeys)).size, 0);

      await put(
        store,
        prototypeKeys.map((id) => toolcall(id, `text of ${id}`)),
      );

      const found = await store.getMany(prototypeKeys);
      for (const id of prototypeKeys) assert.equal(found.get(id)?.document?.content, `text of ${id}`);
      assert.deepEqual(await textsOf(store, "__proto__"), ["text of __proto__"]);
      assert.deepEqual(
        (await store.find({ type: "toolcall" })).versions.map(({ id }) => id),
        [...prototypeKeys].sort(),
      );
      assert.deepEqual((await store.erase(["__proto__"], "not needed")).erased, ["__proto__"]);
    },
  },
  {
    id: "OS-131",
    clause: "SSOT 2.2",
    title: "Prototype keys inside arguments are data: they come back, and pollute nothing.",
    async holds({ store }) {
      const json = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}},"a":[{"__proto__":3}]}';
      const document = toolcall("call_1", "a", { args: parsedArgs(json) });

      await put(store, [document]);

      const args = (await store.getMany(["call_1"])).get("call_1")?.document?.args;
      assert.deepEqual(JSON.parse(JSON.stringify(args)), JSON.parse(json));
      assert.ok(Object.hasOwn(Object(args), "__proto__"));
      assert.ok(!("polluted" in {}));
    },
  },
  {
    id: "OS-132",
    clause: "SSOT 2.2",
    title: "Lone surrogates are refused in text, arguments, keys and ids, because no hash would hold for them.",
    async holds({ store }) {
      const sealed = toolcall("call_1", "a");
      for (const forged of [
        { ...sealed, content: "a\uD800b" },
        { ...sealed, content: "\uDE00\uD83D" },
        { ...sealed, args: { text: "\uDFFF" } },
        { ...sealed, args: { "\uD800": 1 } },
        { ...sealed, tool: "\uD800" },
        { ...sealed, "xt/id": "call_\uD800" },
      ]) {
        await refused(put(store, [forged]), "store/invalid-document");
      }

      assert.equal((await store.find({ type: "toolcall" })).versions.length, 0);
    },
  },
  {
    id: "OS-133",
    clause: "SSOT 2.2",
    title:
      "Controls, line separators, marks of direction and database syntax come back unchanged, in text and arguments.",
    async holds({ store }) {
      const documents = hostileTexts.map((text, n) => toolcall(`call_${n}`, text, { args: { text, [text]: [text] } }));

      await put(store, documents);

      const found = await store.getMany(documents.map((document) => document["xt/id"]));
      for (const document of documents) sameDocument(found.get(document["xt/id"])?.document, document);
    },
  },
  {
    id: "OS-134",
    clause: "SSOT 2.4",
    title: "The same characters make ids and paths that are kept apart, however alike they look.",
    async holds({ store }) {
      const ids = [...hostileTexts, "\u00E9", "e\u0301", "a", "a ", " a", "A", "a\u0000", "a\u0000b", "\uFFFD"];
      await put(
        store,
        ids.map((id) => toolcall(id, `text of ${id}`)),
      );
      await put(
        store,
        ids.map((id) => file(`/w/${id}`, `file ${id}`)),
      );

      for (const id of ids) {
        assert.equal(await textAt(store, id), `text of ${id}`);
        assert.equal(await textAt(store, fileId(`/w/${id}`)), `file ${id}`);
        const named = await store.find({ type: "file", path: `/w/${id}` });
        assert.ok(named.versions.some((version) => version.id === fileId(`/w/${id}`)));
      }
    },
  },
  {
    id: "OS-135",
    clause: "SSOT 2.4",
    title: "An id with a lone surrogate names no object, also not one with the replacement character.",
    async holds({ store }) {
      await put(store, [toolcall("a\uFFFD", "kept")]);

      assert.equal((await store.getMany(["a\uD800"])).size, 0);
      assert.equal((await store.history("a\uD800")).versions.length, 0);
      assert.deepEqual((await store.erase(["a\uD800"], "not needed")).erased, []);
      assert.equal(await textAt(store, "a\uFFFD"), "kept");
    },
  },
  {
    id: "OS-136",
    clause: "SSOT 2.2",
    title: "Top-level fields that no schema knows are refused, those that databases give a meaning above all.",
    async holds({ store }) {
      const sealed = toolcall("call_1", "a");
      for (const key of ["xt/fn", "crux.db/fn", "xt/evict", ":xt/id", "_id", "provenance", "constructor", "toString"]) {
        const error = await refused(put(store, [{ ...sealed, [key]: "(fn [ctx] ctx)" }]), "store/invalid-document");
        assert.ok(!error.message.includes("ctx"));
      }
      const polluted: ObjectDocument = JSON.parse(JSON.stringify(sealed).replace("{", '{"__proto__":{"a":1},'));
      await refused(put(store, [polluted]), "store/invalid-document");

      assert.equal((await store.getMany(["call_1"])).size, 0);
    },
  },
  {
    id: "OS-137",
    clause: "SSOT 2.5",
    title: "Inside arguments the same names are plain data.",
    async holds({ store }) {
      const args = { "xt/fn": "(fn [ctx] ctx)", "xt/id": "session:s1", nested: [{ "xt/fn": { "crux.db/fn": null } }] };
      const document = toolcall("call_1", "a", { args });

      await put(store, [document]);

      sameDocument((await store.getMany(["call_1"])).get("call_1")?.document, document);
      assert.equal((await store.getMany(["session:s1"])).size, 0);
    },
  },
  {
    id: "OS-138",
    clause: "SSOT 2.2",
    title: "Numbers come back exactly, from the smallest to the largest, and so do empty containers.",
    async holds({ store }) {
      const numbers = [0, 1e-7, 5e-324, 0.1, 1 / 3, 1e21, 2 ** 53, -(2 ** 53), 2 ** 63, Number.MAX_VALUE];
      const document = toolcall("call_1", "", { args: { numbers, list: [], object: {}, text: "", none: null } });

      await put(store, [document]);

      sameDocument((await store.getMany(["call_1"])).get("call_1")?.document, document);
    },
  },
  {
    id: "OS-139",
    clause: "SSOT 2.4",
    title: "A tool call cannot take the id of infrastructure or of a sourced object.",
    async holds({ store }) {
      const document = file("/w/a.ts", "a");
      await put(store, [document]);
      const sealed = toolcall("call_1", "b");

      for (const id of [document["xt/id"], "session:s1", "chat:s1", "step:s1:0", "attachment:x", "system_prompt:s1"]) {
        await refused(put(store, [{ ...sealed, "xt/id": id }]), "store/invalid-document");
      }
      await refused(
        Promise.resolve().then(() =>
          store.commit([
            { document: { ...sealDocument({ type: "toolcall", id: "x" }, payload), "xt/id": "" }, expect: "any" },
          ]),
        ),
        "store/invalid-document",
      );

      assert.deepEqual(await textsOf(store, document["xt/id"]), ["a"]);
    },
  },
];

const payload: PayloadOf<"toolcall"> = { content: "", tool: "bash", args: {}, status: "ok", chat_ref: "chat:s1" };
