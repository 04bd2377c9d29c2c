import assert from "node:assert/strict";
import { pagesOf, put, refused, sameDocument } from "../asking.ts";
import { file, oneOfEach, toolcall } from "../samples.ts";
import type { StoreLaw } from "../store-case.ts";

export const findPages: readonly StoreLaw[] = [
  {
    id: "OS-087",
    clause: "SSOT 2.8",
    title: "A filter that names neither type nor session nor source is refused.",
    async holds({ store }) {
      await put(store, oneOfEach());

      await refused(store.find({}), "store/unsupported");
      await refused(store.find({ path: "a.ts" }), "store/unsupported");
      await refused(store.find({ tool: "bash" }), "store/unsupported");
      await refused(store.find({ text: "a" }), "store/unsupported");
    },
  },
  {
    id: "OS-088",
    clause: "SSOT 2.8",
    title: "Finds are ordered by id in UTF-16 units, and pages of every size give each object once.",
    async holds({ store }) {
      const names = ["a", "B", "b", "é", "\u{1F600}", "\uFF5E", "Z", "_", "a\u0000", "a!", "10", "9"];
      await put(
        store,
        names.map((name) => toolcall(name, `text of ${name}`)),
      );

      for (const limit of [1, 5, 11, 12, 13]) {
        const pages = await pagesOf((page) => store.find({ type: "toolcall" }, page), { limit });

        assert.deepEqual(
          pages.flat().map(({ id }) => id),
          [...names].sort(),
        );
        assert.equal(pages.length, Math.ceil(names.length / limit));
      }
    },
  },
  {
    id: "OS-090",
    clause: "SSOT 2.8",
    title: "Finds carry documents only where they were asked for, and a basis at which they can be read again.",
    async holds({ store, clock }) {
      const document = file("/w/a.ts", "1");
      await put(store, [document]);

      const plain = await store.find({ type: "file" });
      const full = await store.find({ type: "file" }, { documents: true });
      clock.advance(1);
      await put(store, [file("/w/a.ts", "2")]);

      assert.equal(plain.versions[0]?.document, undefined);
      sameDocument(full.versions[0]?.document, document);
      const again = await store.getMany([document["xt/id"]], full.basis);
      sameDocument(again.get(document["xt/id"])?.document, document);
    },
  },
  {
    id: "OS-091",
    clause: "SSOT 2.8",
    title: "A page goes on where the last one ended, also when its last object was erased meanwhile.",
    async holds({ store }) {
      await put(
        store,
        ["a", "b", "c", "d"].map((id) => toolcall(id, `text of ${id}`)),
      );
      const first = await store.find({ type: "toolcall" }, { limit: 2 });

      await store.erase(["b"], "not needed");
      const rest = await store.find({ type: "toolcall" }, { cursor: first.next ?? "" });

      assert.deepEqual(
        [...first.versions, ...rest.versions].map(({ id }) => id),
        ["a", "b", "c", "d"],
      );
    },
  },
];
