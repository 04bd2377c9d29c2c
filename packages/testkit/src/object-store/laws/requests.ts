import assert from "node:assert/strict";
import { put, refused, textsOf } from "../asking.ts";
import { past } from "../clock.ts";
import { systemPrompt, toolcall } from "../samples.ts";
import type { StoreLaw } from "../store-case.ts";

export const requests: readonly StoreLaw[] = [
  {
    id: "OS-030",
    clause: "SSOT 3.7",
    title: "Repeating a commit under its request id gives the first receipt again and writes nothing.",
    async holds({ store, clock }) {
      const create = () =>
        store.commit([{ document: toolcall("call_1", "a"), expect: "absent" }], { requestId: "r-1" });
      const first = await create();
      clock.advance(1_000);

      const second = await create();

      assert.equal(second.basis, first.basis);
      assert.equal(second.transactionTime.getTime(), first.transactionTime.getTime());
      assert.deepEqual(second.results, first.results);
      assert.deepEqual(await textsOf(store, "call_1"), ["a"]);
    },
  },
  {
    id: "OS-031",
    clause: "SSOT 3.7",
    title: "A late repeat does not undo what was written since.",
    async holds({ store, clock }) {
      const first = await put(store, [systemPrompt("s1", "a")], { requestId: "r-1" });
      clock.advance(1);
      await put(store, [systemPrompt("s1", "b")]);
      clock.advance(1);

      const repeated = await put(store, [systemPrompt("s1", "a")], { requestId: "r-1" });

      assert.deepEqual(repeated.results, first.results);
      assert.deepEqual(await textsOf(store, "system_prompt:s1"), ["b", "a"]);
    },
  },
  {
    id: "OS-032",
    clause: "SSOT 3.7",
    title: "A request id that comes back with other writes is refused and writes nothing.",
    async holds({ store }) {
      await put(store, [toolcall("call_1", "a")], { requestId: "r-1" });

      await refused(put(store, [toolcall("call_2", "a")], { requestId: "r-1" }), "store/request-reused");
      await refused(put(store, [toolcall("call_1", "b")], { requestId: "r-1" }), "store/request-reused");

      assert.deepEqual(await textsOf(store, "call_1"), ["a"]);
      assert.equal((await store.getMany(["call_2"])).size, 0);
    },
  },
  {
    id: "OS-033",
    clause: "SSOT 3.7",
    title: "Expectations and the valid time belong to a request: changing one under its id is refused.",
    async holds({ store }) {
      const document = toolcall("call_1", "a");
      await put(store, [document], { requestId: "r-1" });

      await refused(store.commit([{ document, expect: "absent" }], { requestId: "r-1" }), "store/request-reused");
      await refused(put(store, [document], { requestId: "r-1", validTime: past(1) }), "store/request-reused");

      assert.deepEqual(await textsOf(store, "call_1"), ["a"]);
    },
  },
  {
    id: "OS-034",
    clause: "SSOT 3.7",
    title: "A commit that was refused does not use up its request id.",
    async holds({ store }) {
      const first = await put(store, [systemPrompt("s1", "a")]);
      await refused(
        store.commit([{ document: systemPrompt("s1", "b"), expect: "absent" }], { requestId: "r-1" }),
        "store/conflict",
      );

      const token = first.results[0]?.token ?? "";
      await store.commit([{ document: systemPrompt("s1", "c"), expect: token }], { requestId: "r-1" });

      assert.deepEqual(await textsOf(store, "system_prompt:s1"), ["c", "a"]);
    },
  },
];
