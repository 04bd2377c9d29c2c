import assert from "node:assert/strict";
import { chatId, type Filter, isCmError, type ObjectStore, type Page } from "@cm/object-model";
import { pagesOf, put } from "../asking.ts";
import { future, past } from "../clock.ts";
import { file, fileId, ticket, toolcall } from "../samples.ts";
import type { StoreLaw } from "../store-case.ts";

type Search = (text: string, filter?: Filter, page?: Page) => Promise<readonly string[]>;

/** Ids of the tool calls, or of another filter's objects, whose text has the piece. */
function searchIn(store: ObjectStore): Search {
  return async (text, filter = { type: "toolcall" }, page = {}) => {
    const pages = await pagesOf((asked) => store.find({ ...filter, text }, asked), page);
    return pages.flat().map(({ id }) => id);
  };
}

/** A law for stores with text search; one without says so, and the law holds. */
function ofSearch({
  holds,
  ...law
}: Omit<StoreLaw, "holds"> & { holds(stage: Parameters<StoreLaw["holds"]>[0] & { search: Search }): Promise<void> }) {
  const guarded: StoreLaw = {
    ...law,
    async holds(stage) {
      const search = searchIn(stage.store);
      try {
        await search("text");
      } catch (error) {
        if (isCmError(error, "store/unsupported")) return;
        throw error;
      }
      await holds({ ...stage, search });
    },
  };
  return guarded;
}

const calls = (...texts: readonly string[]) => texts.map((text, n) => toolcall(`call_${n + 1}`, text));

export const findText: readonly StoreLaw[] = [
  ofSearch({
    id: "OS-092",
    clause: "SSOT 2.8",
    title: "A piece of text is found wherever it stands: in mid word, over words and lines, as short as one letter.",
    async holds({ store, search }) {
      await put(store, calls("openSession(store)", "first line\n\tsecond line", "x"));

      assert.deepEqual(await search("nSess"), ["call_1"]);
      assert.deepEqual(await search("line\n\tse"), ["call_2"]);
      assert.deepEqual(await search("st"), ["call_1", "call_2"]);
      assert.deepEqual(await search("x"), ["call_3"]);
      assert.deepEqual(await search("openSession(store)!"), []);
      assert.deepEqual(await search("store open"), []);
    },
  }),
  ofSearch({
    id: "OS-093",
    clause: "SSOT 2.8",
    title: "The case of letters is ignored in every script, and nothing but the case.",
    async holds({ store, search }) {
      await put(store, calls("École Straße", "ΣΊΣΥΦΟΣ", "ПРИВЕТ", "ecole"));

      assert.deepEqual(await search("ÉCOLE"), ["call_1"]);
      assert.deepEqual(await search("sTRAß"), ["call_1"]);
      assert.deepEqual(await search("strass"), []);
      assert.deepEqual(await search("ίσυφ"), ["call_2"]);
      assert.deepEqual(await search("привет"), ["call_3"]);
      assert.deepEqual(await search("Ecole"), ["call_4"]);
    },
  }),
  ofSearch({
    id: "OS-094",
    clause: "SSOT 2.8",
    title: "Every character of a search stands for itself, whatever it means to a query language.",
    async holds({ store, search }) {
      await put(
        store,
        calls('say "hi" OR *', "a\0b\0c", "50%_", "\u{1f600}\u{1f680} go", "it's NEAR(x, 2)", "a^b:c-d+e"),
      );

      assert.deepEqual(await search('"hi" or'), ["call_1"]);
      assert.deepEqual(await search("OR *"), ["call_1"]);
      assert.deepEqual(await search("a\0b"), ["call_2"]);
      assert.deepEqual(await search("\0c"), ["call_2"]);
      assert.deepEqual(await search("ab"), []);
      assert.deepEqual(await search("5_%"), []);
      assert.deepEqual(await search("0%_"), ["call_3"]);
      assert.deepEqual(await search("\u{1f600}\u{1f680}"), ["call_4"]);
      assert.deepEqual(await search("\u{1f680} G"), ["call_4"]);
      assert.deepEqual(await search("'s near("), ["call_5"]);
      assert.deepEqual(await search("b:c-d+"), ["call_6"]);
      assert.deepEqual(await search('"'), ["call_1"]);
    },
  }),
  ofSearch({
    id: "OS-095",
    clause: "SSOT 2.8",
    title: "A search looks at the text that is valid now: not at earlier ones, planned ones or corrected ones.",
    async holds({ store, clock, search }) {
      await put(store, calls("the first text"));
      clock.advance(1);
      await put(store, calls("the second text"));
      await put(store, calls("the planned text"), { validTime: future(1) });
      await put(store, calls("the back-dated text"), { validTime: past(1) });

      assert.deepEqual(await search("the second"), ["call_1"]);
      assert.deepEqual(await search("the first"), []);
      assert.deepEqual(await search("the planned"), []);
      assert.deepEqual(await search("back-dated"), []);
    },
  }),
  ofSearch({
    id: "OS-096",
    clause: "SSOT 2.8",
    title: "Erased text is found no more, in no object that held it, and is found again when it is written again.",
    async holds({ store, clock, search }) {
      const files = { source: { type: "filesystem" } };
      await put(store, [...calls("the secret key", "another key"), file("/w/.env", "the secret key")]);
      assert.deepEqual(await search("SECRET"), ["call_1"]);
      clock.advance(1);

      await store.erase(["call_1"], "a key leaked");

      assert.deepEqual(await search("secret"), []);
      assert.deepEqual(await search("secret", files), []);
      assert.deepEqual(await search("key"), ["call_2"]);
      clock.advance(1);
      await put(store, [file("/w/.env", "the secret key")]);
      assert.deepEqual(await search("secret", files), [fileId("/w/.env")]);
      assert.deepEqual(await search("secret"), []);
    },
  }),
  ofSearch({
    id: "OS-097",
    clause: "SSOT 2.8",
    title: "A search keeps to the other conditions of its filter.",
    async holds({ store, search }) {
      await put(store, [
        toolcall("call_1", "the text", { tool: "read" }),
        toolcall("call_2", "the text", { tool: "bash" }),
        toolcall("call_3", "the text", { tool: "read", chat_ref: chatId("s2") }),
        file("/w/src/a.ts", "the text"),
        file("/w/test/a.ts", "the text"),
        ticket("1", { content: "the text", status: "open", labels: { team: "a" } }),
        ticket("2", { content: "the text", status: "done" }),
        ticket("3", { content: "another", status: "open" }),
      ]);
      const source = { type: "filesystem", namespace: "fs-1", pathPrefix: "/w/src/" };

      assert.deepEqual(await search("text"), ["call_1", "call_2", "call_3"]);
      assert.deepEqual(await search("text", { session: "s1" }), ["call_1", "call_2"]);
      assert.deepEqual(await search("text", { session: "s1", tool: "read" }), ["call_1"]);
      assert.deepEqual(await search("text", { source }), [fileId("/w/src/a.ts")]);
      assert.deepEqual(await search("text", { type: "file", path: "/test/" }), [fileId("/w/test/a.ts")]);
      assert.deepEqual(await search("text", { type: "file", session: "s1" }), []);
      assert.deepEqual(await search("text", { type: "ticket", where: { status: "open" } }), ["ticket:1"]);
      assert.deepEqual(await search("text", { type: "ticket", where: { labels: { team: "b" } } }), []);
    },
  }),
  ofSearch({
    id: "OS-098",
    clause: "SSOT 2.4",
    title: "The empty piece is in every text, and in no object without one.",
    async holds({ store, search }) {
      await put(store, [file("/w/a.ts", "text"), file("/w/empty", ""), file("/w/gone", null)]);

      assert.deepEqual(await search("", { type: "file" }), [fileId("/w/a.ts"), fileId("/w/empty")].sort());
      assert.deepEqual(await search("null", { type: "file" }), []);
    },
  }),
  ofSearch({
    id: "OS-099",
    clause: "SSOT 2.8",
    title: "Pages of a search hold what was found, and only that: none is short, and none follows the last.",
    async holds({ store, search }) {
      const ids = Array.from({ length: 40 }, (_, n) => `call_${10 + n}`);
      await put(
        store,
        ids.map((id, n) => toolcall(id, n % 4 === 0 ? `found ${n}` : `passed ${n}`)),
      );
      const expected = ids.filter((_, n) => n % 4 === 0);

      assert.deepEqual(await search("found", undefined, { limit: 3 }), expected);
      const pages = await pagesOf((page) => store.find({ type: "toolcall", text: "found" }, page), { limit: 5 });
      assert.deepEqual(
        pages.map(({ length }) => length),
        [5, 5],
      );
    },
  }),
];
