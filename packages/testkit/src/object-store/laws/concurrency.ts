import assert from "node:assert/strict";
import { isCmError, type ObjectStore } from "@cm/object-model";
import { put, textAt, textsOf, versionsOf } from "../asking.ts";
import { file, fileId, sessionHead, systemPrompt, toolcall } from "../samples.ts";
import type { StoreLaw } from "../store-case.ts";

const settled = async (operations: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(operations)).filter(({ status }) => status === "fulfilled").length;

/** Adds one to the head's counter, as a client does: read, expect, and again after a conflict. */
async function increment(store: ObjectStore): Promise<void> {
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    const head = (await store.getMany(["session:s1"])).get("session:s1");
    const next = Number(head?.document?.next_step ?? 0) + 1;
    try {
      await store.commit([{ document: sessionHead("s1", next), expect: head?.token ?? "absent" }]);
      return;
    } catch (error) {
      if (!isCmError(error, "store/conflict")) throw error;
    }
  }
  assert.fail("A writer lost a thousand races.");
}

export const concurrency: readonly StoreLaw[] = [
  {
    id: "OS-150",
    clause: "SSOT 5.7",
    title: "Of overlapping creations of one object exactly one succeeds.",
    async holds({ store }) {
      const create = (n: number) => store.commit([{ document: toolcall("call_1", `writer ${n}`), expect: "absent" }]);

      const succeeded = await settled(Array.from({ length: 30 }, (_, n) => create(n)));

      assert.equal(succeeded, 1);
      assert.equal((await textsOf(store, "call_1")).length, 1);
    },
  },
  {
    id: "OS-151",
    clause: "SSOT 3.7",
    title: "Overlapping writers that compare and set lose no update.",
    async holds({ store }) {
      const writer = async () => {
        for (let round = 0; round < 5; round += 1) await increment(store);
      };

      await Promise.all(Array.from({ length: 8 }, writer));

      const head = (await store.getMany(["session:s1"])).get("session:s1");
      assert.equal(head?.document?.next_step, 40);
      assert.equal((await versionsOf(store, "session:s1")).length, 40);
    },
  },
  {
    id: "OS-152",
    clause: "SSOT 3.7",
    title: "Overlapping writes without condition are all kept, each with a basis of its own.",
    async holds({ store }) {
      const receipts = await Promise.all(
        Array.from({ length: 20 }, (_, n) => put(store, [systemPrompt("s1", `text ${n}`)])),
      );

      assert.equal((await textsOf(store, "system_prompt:s1")).length, 20);
      assert.equal(new Set(receipts.map(({ basis }) => basis)).size, 20);
      for (const [n, { basis }] of receipts.entries()) {
        assert.equal(await textAt(store, "system_prompt:s1", basis), `text ${n}`);
      }
    },
  },
  {
    id: "OS-153",
    clause: "SSOT 3.7",
    title: "Overlapping observations of the same file content make one version.",
    async holds({ store }) {
      const observe = () => put(store, [file("/w/a.ts", "same")]);

      const receipts = await Promise.all(Array.from({ length: 20 }, observe));

      const outcomes = receipts.map(({ results }) => results[0]?.outcome);
      assert.equal(outcomes.filter((outcome) => outcome === "written").length, 1);
      assert.deepEqual(await textsOf(store, fileId("/w/a.ts")), ["same"]);
    },
  },
  {
    id: "OS-154",
    clause: "SSOT 3.7",
    title: "Overlapping repeats of one request make one commit with one receipt.",
    async holds({ store }) {
      const send = () => store.commit([{ document: toolcall("call_1", "a"), expect: "absent" }], { requestId: "r-1" });

      const receipts = await Promise.all(Array.from({ length: 10 }, send));

      assert.equal(new Set(receipts.map(({ basis }) => basis)).size, 1);
      assert.deepEqual(await textsOf(store, "call_1"), ["a"]);
    },
  },
  {
    id: "OS-155",
    clause: "SSOT 2.8",
    title: "A read that overlaps commits sees each of them whole or not at all.",
    async holds({ store, clock }) {
      const ids = ["system_prompt:s1", "system_prompt:s2", "system_prompt:s3"];
      const write = (n: number) =>
        put(
          store,
          ["s1", "s2", "s3"].map((session) => systemPrompt(session, `round ${n}`)),
        );
      const look = async () => [...(await store.getMany(ids)).values()].map(({ document }) => document?.content);
      const lookAgain = async () => [await look(), await look(), await look(), await look(), await look()];

      for (let round = 0; round < 20; round += 1) {
        clock.advance(1);
        const [, ...readers] = await Promise.all([write(round), lookAgain(), lookAgain()]);

        for (const texts of readers.flat()) assert.equal(new Set(texts).size, texts.length === 0 ? 0 : 1);
        assert.deepEqual(
          await look(),
          ids.map(() => `round ${round}`),
        );
      }
    },
  },
];
