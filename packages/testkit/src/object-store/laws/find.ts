import assert from "node:assert/strict";
import {
  chatId,
  type Filter,
  fileTypeOf,
  isCmError,
  type ObjectDocument,
  type ObjectStore,
  type SourceBinding,
  sealDocument,
} from "@cm/object-model";
import { put } from "../asking.ts";
import { future, past } from "../clock.ts";
import { file, oneOfEach, sessionHead, step, toolcall } from "../samples.ts";
import type { StoreLaw } from "../store-case.ts";

const idsOf = (documents: readonly ObjectDocument[]) => documents.map((document) => document["xt/id"]).sort();
const found = async (store: ObjectStore, filter: Filter) => (await store.find(filter)).versions.map(({ id }) => id);

/** A file of any source, at its `path` or key. */
function fileOf(source: SourceBinding, text: string): ObjectDocument {
  const path = `${"key" in source ? source.key : source.path}`;
  return sealDocument(
    { type: "file", source },
    { content: text, file_type: fileTypeOf(path), char_count: text.length, source_hash: "etag-1" },
  );
}

export const find: readonly StoreLaw[] = [
  {
    id: "OS-080",
    clause: "SSOT 2.1",
    title: "Objects are found by their type.",
    async holds({ store }) {
      const documents = oneOfEach();
      await put(store, documents);

      for (const document of documents) {
        assert.deepEqual(await found(store, { type: document.type }), [document["xt/id"]]);
      }
      assert.deepEqual(await found(store, { type: "nothing" }), []);
    },
  },
  {
    id: "OS-081",
    clause: "SSOT 3.7",
    title: "A session's heads, steps and tool calls are found by its id, files and other sessions are not.",
    async holds({ store }) {
      const others = [sessionHead("s10"), step("s", 0), toolcall("call_9", "x", { chat_ref: chatId("s2") })];
      await put(store, [...oneOfEach(), ...others]);

      const ofNone = new Set(["file", "attachment", "erased_object"]);
      const ofSession = oneOfEach().filter(({ type }) => !ofNone.has(type));
      assert.deepEqual(await found(store, { session: "s1" }), idsOf(ofSession));
      assert.deepEqual(await found(store, { session: "s2" }), ["call_9"]);
      assert.deepEqual(await found(store, { session: "s3" }), []);
    },
  },
  {
    id: "OS-082",
    clause: "SSOT 2.3",
    title: "Sourced objects are found by source type, namespace and start of path.",
    async holds({ store }) {
      const a = file("/w/src/a.ts", "1");
      const b = file("/w/src/b.ts", "2");
      const other = file("/w/src/a.ts", "3", { filesystemId: "fs-2" });
      const git = fileOf({ type: "git", repo: "host/r", ref: "main", path: "/w/src/a.ts" }, "4");
      const s3 = fileOf({ type: "s3", bucket: "fs-1", key: "/w/src/a.ts" }, "5");
      await put(store, [a, b, other, git, s3, toolcall("call_1", "6")]);

      const sourced = (source: Filter["source"]) => found(store, source === undefined ? {} : { source });
      assert.deepEqual(await sourced({ type: "filesystem" }), idsOf([a, b, other]));
      assert.deepEqual(await sourced({ type: "filesystem", namespace: "fs-1" }), idsOf([a, b]));
      assert.deepEqual(await sourced({ type: "filesystem", pathPrefix: "/w/src/a" }), idsOf([a, other]));
      assert.deepEqual(await sourced({ type: "filesystem", namespace: "fs-1", pathPrefix: "/w/src/b" }), idsOf([b]));
      assert.deepEqual(await sourced({ type: "git", namespace: "host/r@main" }), idsOf([git]));
      assert.deepEqual(await sourced({ type: "s3", namespace: "fs-1" }), idsOf([s3]));
      assert.deepEqual(await sourced({ type: "filesystem", pathPrefix: "w/src" }), []);
    },
  },
  {
    id: "OS-083",
    clause: "SSOT 2.3",
    title: "Paths are compared letter by letter: case counts and no character is a wildcard.",
    async holds({ store }) {
      const plain = file("/w/aXb.ts", "1");
      const percent = file("/w/a%b.ts", "2");
      const underscore = file("/w/a_b.ts", "3");
      const star = file("/w/a*[b]?.ts", "4");
      await put(store, [plain, percent, underscore, star]);

      assert.deepEqual(await found(store, { type: "file", path: "a%b" }), idsOf([percent]));
      assert.deepEqual(await found(store, { type: "file", path: "a_b" }), idsOf([underscore]));
      assert.deepEqual(await found(store, { type: "file", path: "*[b]?" }), idsOf([star]));
      assert.deepEqual(await found(store, { type: "file", path: "axb" }), []);
      const prefixed = (pathPrefix: string) => found(store, { source: { type: "filesystem", pathPrefix } });
      assert.deepEqual(await prefixed("/w/a%"), idsOf([percent]));
      assert.deepEqual(await prefixed("/w/a_"), idsOf([underscore]));
      assert.deepEqual(await prefixed("/w/a*"), idsOf([star]));
      assert.deepEqual(await prefixed("/W/"), []);
    },
  },
  {
    id: "OS-084",
    clause: "SSOT 2.5",
    title: "Tool calls are found by their tool's whole name.",
    async holds({ store }) {
      await put(store, [
        toolcall("call_1", "1", { tool: "read" }),
        toolcall("call_2", "2", { tool: "reader" }),
        toolcall("call_3", "3", { tool: "Read" }),
      ]);

      assert.deepEqual(await found(store, { type: "toolcall", tool: "read" }), ["call_1"]);
      assert.deepEqual(await found(store, { session: "s1", tool: "reader" }), ["call_2"]);
    },
  },
  {
    id: "OS-085",
    clause: "SSOT 2.8",
    title: "A search for text is answered rightly, or with `store/unsupported`.",
    async holds({ store, clock }) {
      await put(store, [
        toolcall("call_1", "The QUICK brown fox"),
        toolcall("call_2", "100 % quick_brown"),
        toolcall("call_3", "nothing of it"),
        file("/w/a.ts", null),
      ]);
      clock.advance(1);
      await put(store, [toolcall("call_3", "slow")]);

      const searched = async (text: string) => {
        try {
          return await found(store, { type: "toolcall", text });
        } catch (error) {
          if (isCmError(error, "store/unsupported")) return undefined;
          throw error;
        }
      };
      if ((await searched("quick")) === undefined) return;
      assert.deepEqual(await searched("quick"), ["call_1", "call_2"]);
      assert.deepEqual(await searched("uick BRO"), ["call_1"]);
      assert.deepEqual(await searched("0 %"), ["call_2"]);
      assert.deepEqual(await searched("quick%"), []);
      assert.deepEqual(await searched("k_b"), ["call_2"]);
      assert.deepEqual(await searched("nothing"), []);
      assert.deepEqual(await searched('" OR *'), []);
    },
  },
  {
    id: "OS-086",
    clause: "SSOT 2.8",
    title: "All conditions of a filter hold together.",
    async holds({ store }) {
      const target = file("/w/src/a.ts", "1");
      await put(store, [
        target,
        file("/w/src/b.ts", "2"),
        file("/w/test/a.ts", "3"),
        file("/w/src/a.ts", "4", { filesystemId: "fs-2" }),
        toolcall("call_1", "5", { tool: "read" }),
        toolcall("call_2", "6", { tool: "read", chat_ref: chatId("s2") }),
      ]);

      const source = { type: "filesystem", namespace: "fs-1", pathPrefix: "/w/src/" };
      assert.deepEqual(await found(store, { type: "file", source, path: "a.ts" }), [target["xt/id"]]);
      assert.deepEqual(await found(store, { type: "toolcall", session: "s2", tool: "read" }), ["call_2"]);
      assert.deepEqual(await found(store, { type: "file", session: "s1" }), []);
      assert.deepEqual(await found(store, { type: "toolcall", source }), []);
      assert.deepEqual(await found(store, { type: "toolcall", path: "a" }), []);
    },
  },
  {
    id: "OS-089",
    clause: "SSOT 2.1",
    title: "Only the version valid now is looked at: neither older, nor planned, nor back-dated ones.",
    async holds({ store, clock }) {
      await put(store, [toolcall("call_1", "1", { tool: "old" })]);
      clock.advance(1);
      await put(store, [toolcall("call_1", "2", { tool: "new" })]);
      await put(store, [toolcall("call_1", "3", { tool: "planned" })], { validTime: future(1) });
      await put(store, [toolcall("call_1", "4", { tool: "earlier" })], { validTime: past(1) });
      await put(store, [toolcall("call_2", "5", { tool: "planned" })], { validTime: future(1) });

      const withTool = (tool: string) => found(store, { type: "toolcall", tool });
      assert.deepEqual(await withTool("new"), ["call_1"]);
      for (const tool of ["old", "planned", "earlier"]) assert.deepEqual(await withTool(tool), []);
      assert.deepEqual(await found(store, { type: "toolcall" }), ["call_1"]);
    },
  },
];
