import assert from "node:assert/strict";
import { put, refused, sameDocument, textAt, textsOf, versionsOf } from "../asking.ts";
import { past } from "../clock.ts";
import { attachment, file, fileId, step, systemPrompt, toolcall } from "../samples.ts";
import type { StoreLaw } from "../store-case.ts";

const secret = "the secret text";
const prompt = "system_prompt:s1";

export const erase: readonly StoreLaw[] = [
  {
    id: "OS-100",
    clause: "SSOT 2.8",
    title: "Erasing an object takes all its versions; their stamps, the reason and the time stay.",
    async holds({ store, clock }) {
      await put(store, [systemPrompt("s1", secret)]);
      clock.advance(1);
      const last = systemPrompt("s1", "another text");
      const receipt = await put(store, [last]);
      clock.advance(1);

      const erasure = await store.erase([prompt], "a key leaked");

      assert.deepEqual([erasure.erased, erasure.shared, erasure.unknown], [[prompt], [], []]);
      assert.deepEqual(await textsOf(store, prompt), [undefined, undefined]);
      const version = (await store.getMany([prompt])).get(prompt);
      assert.equal(version?.document, undefined);
      assert.deepEqual(version?.erased, { reason: "a key leaked", at: erasure.at });
      assert.equal(version?.contentHash, last.content_hash);
      assert.equal(version?.type, "system_prompt");
      assert.equal(version?.token, receipt.results[0]?.token);
    },
  },
  {
    id: "OS-101",
    clause: "SSOT 2.8",
    title: "Erasing takes the same text from other objects, which the receipt lists; their other versions stay.",
    async holds({ store, clock }) {
      await put(store, [toolcall("call_1", secret), file("/w/b.ts", "before"), toolcall("call_3", "other")]);
      clock.advance(1);
      await put(store, [file("/w/b.ts", secret)]);
      clock.advance(1);
      await put(store, [file("/w/b.ts", "after")]);

      const receipt = await store.erase(["call_1"], "a key leaked");

      assert.deepEqual(receipt.erased, ["call_1"]);
      assert.deepEqual(receipt.shared, [fileId("/w/b.ts")]);
      assert.deepEqual(await textsOf(store, fileId("/w/b.ts")), ["after", undefined, "before"]);
      assert.equal(await textAt(store, "call_3"), "other");
    },
  },
  {
    id: "OS-102",
    clause: "SSOT 2.8",
    title: "The text of an older version of the named object is taken from others, too.",
    async holds({ store, clock }) {
      await put(store, [systemPrompt("s1", secret), toolcall("call_1", secret)]);
      clock.advance(1);
      await put(store, [systemPrompt("s1", "harmless")]);

      const receipt = await store.erase([prompt], "a key leaked");

      assert.deepEqual(receipt.shared, ["call_1"]);
      assert.deepEqual(await textsOf(store, "call_1"), [undefined]);
    },
  },
  {
    id: "OS-103",
    clause: "SSOT 2.8",
    title: "Empty text and absent text are not shared: erasing one object leaves the others.",
    async holds({ store }) {
      const gone = file("/w/gone.ts", null);
      await put(store, [toolcall("call_1", ""), toolcall("call_2", ""), file("/w/a.ts", null), gone, step("s1", 0)]);

      const receipt = await store.erase(["call_1", fileId("/w/a.ts")], "not needed");

      assert.deepEqual(receipt.shared, []);
      assert.equal(await textAt(store, "call_2"), "");
      sameDocument((await store.getMany([gone["xt/id"]])).get(gone["xt/id"])?.document, gone);
      assert.ok((await store.getMany(["step:s1:0"])).get("step:s1:0")?.document);
    },
  },
  {
    id: "OS-104",
    clause: "SSOT 2.8",
    title: "Erasing a tool call takes its attachments along.",
    async holds({ store }) {
      const image = attachment("picture of a key");
      const other = attachment("picture of a cat");
      await put(store, [image.document, other.document, toolcall("call_1", "", { attachments: [image.ref] })]);

      const receipt = await store.erase(["call_1"], "a key leaked");

      assert.deepEqual(receipt.shared, [image.document["xt/id"]]);
      assert.equal(await textAt(store, image.document["xt/id"]), undefined);
      assert.equal(await textAt(store, other.document["xt/id"]), other.document.content);
    },
  },
  {
    id: "OS-105",
    clause: "SSOT 2.8",
    title: "Erasing a step takes the attachments of its messages along.",
    async holds({ store }) {
      const image = attachment("picture of a key");
      await put(store, [image.document, step("s1", 0, [image.ref])]);

      const receipt = await store.erase(["step:s1:0"], "a key leaked");

      assert.deepEqual(receipt.shared, [image.document["xt/id"]]);
      assert.deepEqual(await textsOf(store, image.document["xt/id"]), [undefined]);
    },
  },
  {
    id: "OS-106",
    clause: "SSOT 2.8",
    title: "Erased text is gone at old bases and old valid times, too; what was not erased stays there.",
    async holds({ store, clock }) {
      await put(store, [systemPrompt("s1", "first")], { validTime: past(1) });
      const receipt = await put(store, [systemPrompt("s1", secret), toolcall("call_1", "kept")]);
      clock.advance(1);
      await put(store, [systemPrompt("s1", "newest")]);

      await store.erase([prompt], "a key leaked");

      for (const at of [receipt.basis, { validTime: past(2) }, { basis: receipt.basis, validTime: past(2) }]) {
        const version = (await store.getMany([prompt], at)).get(prompt);
        assert.equal(version?.document, undefined);
        assert.equal(version?.erased?.reason, "a key leaked");
      }
      assert.equal(await textAt(store, "call_1", receipt.basis), "kept");
    },
  },
  {
    id: "OS-107",
    clause: "SSOT 2.8",
    title: "Erased objects are found no more, by no filter.",
    async holds({ store }) {
      await put(store, [file("/w/secret.env", secret), file("/w/copy.env", secret), file("/w/a.ts", "kept")]);

      await store.erase([fileId("/w/secret.env")], "a key leaked");

      const ids = async (filter: Parameters<typeof store.find>[0]) =>
        (await store.find(filter, { documents: true })).versions.map(({ id }) => id);
      assert.deepEqual(await ids({ type: "file" }), [fileId("/w/a.ts")]);
      assert.deepEqual(await ids({ type: "file", path: ".env" }), []);
      assert.deepEqual(await ids({ source: { type: "filesystem" } }), [fileId("/w/a.ts")]);
    },
  },
  {
    id: "OS-108",
    clause: "SSOT 1.3",
    title: "After an erasure the object can be written again, even with the erased text; the old version stays erased.",
    async holds({ store, clock }) {
      const first = await put(store, [systemPrompt("s1", secret)]);
      clock.advance(1);
      await store.erase([prompt], "a key leaked");
      clock.advance(1);

      const receipt = await put(store, [systemPrompt("s1", secret)]);

      assert.equal(receipt.results[0]?.outcome, "written");
      assert.equal(await textAt(store, prompt), secret);
      assert.deepEqual(await textsOf(store, prompt), [secret, undefined]);
      assert.equal(await textAt(store, prompt, first.basis), undefined);
    },
  },
  {
    id: "OS-109",
    clause: "SSOT 3.7",
    title: "An erased object still exists: create-only is refused and its token stays good.",
    async holds({ store, clock }) {
      const first = await put(store, [toolcall("call_1", secret)]);
      clock.advance(1);
      await store.erase(["call_1"], "a key leaked");

      await refused(store.commit([{ document: toolcall("call_1", "b"), expect: "absent" }]), "store/conflict");
      const token = first.results[0]?.token ?? "";
      const receipt = await store.commit([{ document: toolcall("call_1", "b"), expect: token }]);

      assert.equal(receipt.results[0]?.outcome, "written");
    },
  },
  {
    id: "OS-110",
    clause: "SSOT 2.8",
    title: "The receipt tells named ids that were never written from those that were.",
    async holds({ store }) {
      await put(store, [toolcall("call_1", secret)]);

      const receipt = await store.erase(["nothing", "call_1", "__proto__"], "a key leaked");

      assert.deepEqual(receipt.erased, ["call_1"]);
      assert.deepEqual([...receipt.unknown].sort(), ["__proto__", "nothing"]);
      assert.equal((await store.getMany(["nothing"])).size, 0);
      assert.equal((await store.history("nothing")).versions.length, 0);
    },
  },
  {
    id: "OS-111",
    clause: "SSOT 2.8",
    title: "An erasure keeps the reason and time of the first one; repeating it changes nothing.",
    async holds({ store, clock }) {
      await put(store, [toolcall("call_1", secret)]);
      const first = await store.erase(["call_1"], "first");
      clock.advance(1_000);

      const second = await store.erase(["call_1"], "second");

      assert.deepEqual(second.shared, []);
      assert.deepEqual((await versionsOf(store, "call_1"))[0]?.erased, { reason: "first", at: first.at });
    },
  },
  {
    id: "OS-112",
    clause: "SSOT 2.8",
    title: "An erasure has a basis that follows the commits before it.",
    async holds({ store, clock }) {
      const before = await put(store, [toolcall("call_1", secret), toolcall("call_2", "kept")]);
      clock.advance(1);

      const receipt = await store.erase(["call_1"], "a key leaked");

      assert.notEqual(receipt.basis, before.basis);
      assert.equal(await textAt(store, "call_2", receipt.basis), "kept");
      assert.ok(receipt.at.getTime() >= before.transactionTime.getTime());
    },
  },
  {
    id: "OS-113",
    clause: "SSOT 2.8",
    title:
      "Of an object whose version is named only that one goes, at every basis; the others stay and can be followed.",
    async holds({ store, clock }) {
      const bases: string[] = [];
      const tokens: string[] = [];
      for (const text of ["first", secret, "newest"]) {
        const receipt = await put(store, [systemPrompt("s1", text)]);
        bases.push(receipt.basis);
        tokens.push(receipt.results[0]?.token ?? "");
        clock.advance(1);
      }

      const receipt = await store.erase([{ id: prompt, version: tokens[1] ?? "" }], "a key leaked");

      assert.deepEqual([receipt.erased, receipt.shared, receipt.unknown], [[prompt], [], []]);
      assert.deepEqual(await textsOf(store, prompt), ["newest", undefined, "first"]);
      const texts = await Promise.all(bases.map((basis) => textAt(store, prompt, basis)));
      assert.deepEqual(texts, ["first", undefined, "newest"]);
      assert.equal((await versionsOf(store, prompt))[1]?.erased?.reason, "a key leaked");
      assert.deepEqual(
        (await store.find({ session: "s1" })).versions.map(({ id }) => id),
        [prompt],
      );
      await refused(store.commit([{ document: systemPrompt("s1", "x"), expect: tokens[1] ?? "" }]), "store/conflict");
      await store.commit([{ document: systemPrompt("s1", "next"), expect: tokens[2] ?? "" }]);
      assert.deepEqual(await textsOf(store, prompt), ["next", "newest", undefined, "first"]);
    },
  },
  {
    id: "OS-114",
    clause: "SSOT 2.8",
    title: "Attachments of a named version go, but for those that another version of its object names.",
    async holds({ store, clock }) {
      const [gone, kept] = [attachment("picture of a key"), attachment("picture of a cat")];
      const before = step("s1", 0, [gone.ref, kept.ref]);
      const first = await put(store, [gone.document, kept.document, before]);
      clock.advance(1);
      await put(store, [step("s1", 0, [kept.ref])]);

      const version = first.results.find(({ id }) => id === before["xt/id"])?.token ?? "";
      const receipt = await store.erase([{ id: before["xt/id"], version }], "a key leaked");

      assert.deepEqual(receipt.erased, [before["xt/id"]]);
      assert.deepEqual(receipt.shared, [gone.document["xt/id"]]);
      assert.equal(await textAt(store, kept.document["xt/id"]), kept.document.content);
      assert.ok((await store.getMany([before["xt/id"]])).get(before["xt/id"])?.document);
    },
  },
  {
    id: "OS-115",
    clause: "SSOT 2.8",
    title:
      "A named version that was never written is unknown, and nothing goes; naming the object beside it takes all.",
    async holds({ store, clock }) {
      await put(store, [systemPrompt("s1", "first"), toolcall("call_1", "kept")]);
      clock.advance(1);
      const { results } = await put(store, [systemPrompt("s1", secret)]);
      const version = results[0]?.token ?? "";

      const nothing = await store.erase(
        [
          { id: prompt, version: "no such token" },
          { id: "call_1", version },
          { id: "nothing", version },
        ],
        "a key leaked",
      );
      const all = await store.erase([{ id: prompt, version }, prompt], "a key leaked");

      assert.deepEqual([nothing.erased, nothing.shared], [[], []]);
      assert.deepEqual([...nothing.unknown].sort(), ["call_1", "nothing", prompt]);
      assert.equal(await textAt(store, "call_1"), "kept");
      assert.deepEqual(all.erased, [prompt]);
      assert.deepEqual(await textsOf(store, prompt), [undefined, undefined]);
    },
  },
  {
    id: "OS-116",
    clause: "SSOT 2.8",
    title: "An object is listed once in a session, also where the session that it had first was erased of it.",
    async holds({ store, clock }) {
      const inSession = (session: string, text: string) => toolcall("call_1", text, { chat_ref: `chat:${session}` });
      const { results } = await put(store, [inSession("s1", secret)]);
      clock.advance(1);
      await put(store, [inSession("s2", "second")]);
      clock.advance(1);
      await store.erase([{ id: "call_1", version: results[0]?.token ?? "" }], "a key leaked");
      clock.advance(1);

      await put(store, [inSession("s2", "third")]);

      const listed = async (session: string) => (await store.find({ session })).versions.map(({ id }) => id);
      assert.deepEqual(await listed("s2"), ["call_1"]);
      assert.deepEqual(await listed("s1"), []);
    },
  },
];
