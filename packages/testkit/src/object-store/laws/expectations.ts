import assert from "node:assert/strict";
import { put, refused, textAt, textsOf } from "../asking.ts";
import { past } from "../clock.ts";
import { systemPrompt, toolcall } from "../samples.ts";
import type { StoreLaw } from "../store-case.ts";

export const expectations: readonly StoreLaw[] = [
  {
    id: "OS-010",
    clause: "SSOT 5.7",
    title: "Create-only refuses an object that exists, also when the document is the same.",
    async holds({ store }) {
      await store.commit([{ document: toolcall("call_1", "a"), expect: "absent" }]);

      const same = await refused(
        store.commit([{ document: toolcall("call_1", "a"), expect: "absent" }]),
        "store/conflict",
      );
      await refused(store.commit([{ document: toolcall("call_1", "b"), expect: "absent" }]), "store/conflict");

      assert.deepEqual(same.data.ids, ["call_1"]);
      assert.deepEqual(await textsOf(store, "call_1"), ["a"]);
    },
  },
  {
    id: "OS-011",
    clause: "SSOT 3.7",
    title: "Compare-and-set accepts the newest token and refuses every older one.",
    async holds({ store }) {
      const first = await put(store, [systemPrompt("s1", "a")]);
      const token = first.results[0]?.token ?? "";
      const second = await store.commit([{ document: systemPrompt("s1", "b"), expect: token }]);

      const error = await refused(
        store.commit([{ document: systemPrompt("s1", "c"), expect: token }]),
        "store/conflict",
      );

      assert.notEqual(second.results[0]?.token, token);
      assert.deepEqual(error.data.actual, [second.results[0]?.token]);
      assert.deepEqual(await textsOf(store, "system_prompt:s1"), ["b", "a"]);
    },
  },
  {
    id: "OS-012",
    clause: "SSOT 3.7",
    title: "The token is that of the newest write, whatever its valid time.",
    async holds({ store }) {
      const present = await put(store, [systemPrompt("s1", "now")]);
      const backDated = await put(store, [systemPrompt("s1", "then")], { validTime: past(1) });
      const stale = present.results[0]?.token ?? "";

      await refused(store.commit([{ document: systemPrompt("s1", "next"), expect: stale }]), "store/conflict");
      const token = backDated.results[0]?.token ?? "";
      await store.commit([{ document: systemPrompt("s1", "next"), expect: token }]);

      assert.equal(await textAt(store, "system_prompt:s1"), "next");
    },
  },
  {
    id: "OS-013",
    clause: "SSOT 3.7",
    title: "A token is refused for an object that does not exist, and for any object but its own.",
    async holds({ store }) {
      const receipt = await put(store, [toolcall("call_1", "a"), toolcall("call_2", "b")]);
      const other = receipt.results[1]?.token ?? "";

      await refused(store.commit([{ document: toolcall("call_3", "c"), expect: other }]), "store/conflict");
      await refused(store.commit([{ document: toolcall("call_1", "c"), expect: other }]), "store/conflict");

      assert.equal((await store.getMany(["call_3"])).size, 0);
    },
  },
  {
    id: "OS-024",
    clause: "SSOT 5.7",
    title: "Create-only refuses an object that exists at another valid time only.",
    async holds({ store }) {
      await put(store, [toolcall("call_1", "a")], { validTime: new Date(Date.UTC(2201, 0, 1)) });

      await refused(store.commit([{ document: toolcall("call_1", "b"), expect: "absent" }]), "store/conflict");

      assert.equal(await textAt(store, "call_1"), undefined);
    },
  },
];
