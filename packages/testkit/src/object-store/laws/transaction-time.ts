import assert from "node:assert/strict";
import { put, textAt, textsOf, versionsOf } from "../asking.ts";
import { past } from "../clock.ts";
import { systemPrompt } from "../samples.ts";
import type { StoreLaw } from "../store-case.ts";

const id = "system_prompt:s1";
const says = (text: string) => [systemPrompt("s1", text)];

export const transactionTime: readonly StoreLaw[] = [
  {
    id: "OS-065",
    clause: "SSOT 2.8",
    title: "Transaction times never run backwards, also when the clock does.",
    async holds({ store, clock }) {
      const first = await put(store, says("1"));
      clock.advance(-60_000);

      const second = await put(store, says("2"));

      assert.ok(second.transactionTime.getTime() >= first.transactionTime.getTime());
      assert.equal(await textAt(store, id), "2");
      assert.equal(await textAt(store, id, second.basis), "2");
      assert.equal(await textAt(store, id, first.basis), "1");
      assert.deepEqual(await textsOf(store, id), ["2", "1"]);
    },
  },
  {
    id: "OS-066",
    clause: "SSOT 2.8",
    title: "A committed write stays visible when the clock was set back after it.",
    async holds({ store, clock }) {
      await put(store, says("1"));

      clock.advance(-86_400_000);

      assert.equal(await textAt(store, id), "1");
      assert.equal((await store.find({ type: "system_prompt" })).versions.length, 1);
    },
  },
  {
    id: "OS-067",
    clause: "SSOT 1.3",
    title: "Writes in one millisecond keep their order, and all of them stay in history.",
    async holds({ store }) {
      for (const text of ["1", "2", "3", "4"]) await put(store, says(text));

      assert.equal(await textAt(store, id), "4");
      assert.deepEqual(await textsOf(store, id), ["4", "3", "2", "1"]);
      assert.equal(new Set((await versionsOf(store, id)).map(({ basis }) => basis)).size, 4);
    },
  },
  {
    id: "OS-068",
    clause: "SSOT 2.8",
    title: "All writes of a commit share its transaction time and its valid time.",
    async holds({ store, clock }) {
      clock.advance(7);

      const receipt = await put(store, [...says("a"), systemPrompt("s2", "b")], { validTime: past(3) });

      const found = await store.getMany([id, "system_prompt:s2"]);
      for (const version of found.values()) {
        assert.equal(version.validTime.getTime(), past(3).getTime());
        assert.equal(version.transactionTime.getTime(), receipt.transactionTime.getTime());
        assert.equal(version.basis, receipt.basis);
      }
      assert.equal(found.size, 2);
    },
  },
];
