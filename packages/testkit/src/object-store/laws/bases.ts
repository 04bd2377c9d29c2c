import assert from "node:assert/strict";
import { put, refused, textAt } from "../asking.ts";
import { future, past } from "../clock.ts";
import { file, fileId, systemPrompt, toolcall } from "../samples.ts";
import type { StoreLaw } from "../store-case.ts";

export const bases: readonly StoreLaw[] = [
  {
    id: "OS-040",
    clause: "SSOT 2.8",
    title: "A commit is readable at its receipt's basis when the call returns.",
    async holds({ store }) {
      const receipt = await put(store, [toolcall("call_1", "a"), toolcall("call_2", "b")]);

      assert.equal((await store.getMany(["call_1", "call_2"], receipt.basis)).size, 2);
      assert.equal((await store.getMany(["call_1", "call_2"], { basis: receipt.basis })).size, 2);
    },
  },
  {
    id: "OS-041",
    clause: "SSOT 1.2",
    title: "A read at a basis gives the same answer after later writes, also within the same millisecond.",
    async holds({ store, clock }) {
      const id = fileId("/w/a.ts");
      const first = await put(store, [file("/w/a.ts", "1")]);
      const second = await put(store, [file("/w/a.ts", "2")]);
      clock.advance(5);
      const third = await put(store, [file("/w/a.ts", "3"), toolcall("call_1", "new")]);

      assert.equal(await textAt(store, id, first.basis), "1");
      assert.equal(await textAt(store, id, second.basis), "2");
      assert.equal(await textAt(store, id, third.basis), "3");
      assert.equal((await store.getMany(["call_1"], second.basis)).size, 0);
    },
  },
  {
    id: "OS-042",
    clause: "SSOT 1.2",
    title: "A read at a basis is not changed by back-dated and future writes that came later.",
    async holds({ store, clock }) {
      await put(store, [systemPrompt("s1", "old")], { validTime: past(1) });
      clock.advance(1);
      const receipt = await put(store, [toolcall("call_1", "a")]);
      const read = () => textAt(store, "system_prompt:s1", receipt.basis);
      assert.equal(await read(), "old");

      await put(store, [systemPrompt("s1", "corrected")], { validTime: past(1) });
      await put(store, [systemPrompt("s1", "inserted")], { validTime: past(2) });
      await put(store, [systemPrompt("s1", "planned")], { validTime: future(1) });
      clock.advance(1);

      assert.equal(await read(), "old");
    },
  },
  {
    id: "OS-043",
    clause: "SSOT 1.2",
    title: "Time that passes does not bring a planned version into a read at an older basis.",
    async holds({ store, clock }) {
      const soon = new Date(clock.now() + 1_000);
      await put(store, [systemPrompt("s1", "now")]);
      const planned = await put(store, [systemPrompt("s1", "soon")], { validTime: soon });

      clock.advance(5_000);

      assert.equal(await textAt(store, "system_prompt:s1", planned.basis), "now");
      assert.equal(await textAt(store, "system_prompt:s1"), "soon");
    },
  },
  {
    id: "OS-044",
    clause: "SSOT 2.8",
    title: "A token that is no basis of this store is refused.",
    async holds({ store }) {
      await put(store, [toolcall("call_1", "a")]);

      for (const basis of ["", "no such basis", "-1", "999999999", "__proto__", "1 or 1=1"]) {
        await refused(store.getMany(["call_1"], basis), "store/unknown-basis");
        await refused(store.getMany(["call_1"], { basis }), "store/unknown-basis");
      }
    },
  },
  {
    id: "OS-045",
    clause: "SSOT 1.2",
    title: "The empty store has a basis, at which nothing will ever be found.",
    async holds({ store, clock }) {
      const { basis } = await store.find({ type: "toolcall" });
      clock.advance(1);

      await put(store, [toolcall("call_1", "a")]);
      await put(store, [toolcall("call_2", "a")], { validTime: past(1) });

      const ids = ["call_1", "call_2"];
      assert.equal((await store.getMany(ids, basis)).size, 0);
      assert.equal((await store.getMany(ids, { basis, validTime: future(1) })).size, 0);
    },
  },
];
