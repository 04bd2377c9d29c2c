import assert from "node:assert/strict";
import type { ListedVersion } from "@cm/object-model";
import { pagesOf, put, textAt, textsOf, versionsOf } from "../asking.ts";
import { future, past } from "../clock.ts";
import { systemPrompt } from "../samples.ts";
import type { Stage, StoreLaw } from "../store-case.ts";

const id = "system_prompt:s1";
const says = (text: string) => [systemPrompt("s1", text)];

/** Seven versions on both axes, one of them corrected. */
async function writeSeven({ store, clock }: Stage): Promise<void> {
  await put(store, says("past 3"), { validTime: past(3) });
  await put(store, says("future 2"), { validTime: future(2) });
  await put(store, says("now"));
  await put(store, says("past 1"), { validTime: past(1) });
  await put(store, says("past 3 corrected"), { validTime: past(3) });
  clock.advance(1);
  await put(store, says("now again"));
  await put(store, says("future 1"), { validTime: future(1) });
}

const inOrder = ["future 2", "future 1", "now again", "now", "past 3 corrected", "past 3", "past 1"];

export const history: readonly StoreLaw[] = [
  {
    id: "OS-070",
    clause: "SSOT 2.1",
    title: "History has every version with its corrections, by valid time and then transaction, newest first.",
    async holds(stage) {
      await writeSeven(stage);

      assert.deepEqual(await textsOf(stage.store, id), inOrder);
    },
  },
  {
    id: "OS-071",
    clause: "SSOT 2.8",
    title: "History lists documents only where they were asked for, and stamps always.",
    async holds(stage) {
      await writeSeven(stage);

      const plain = (await stage.store.history(id)).versions;
      const full = await versionsOf(stage.store, id);

      assert.ok(plain.every((version) => version.document === undefined && !("document" in version)));
      const stamps = ({ document: _, ...stamp }: ListedVersion) => stamp;
      assert.deepEqual(plain, full.map(stamps));
      assert.ok(full.every(({ document, contentHash }) => document?.content_hash === contentHash));
    },
  },
  {
    id: "OS-072",
    clause: "SSOT 2.8",
    title: "Pages of every size give each version once, and `next` exactly while more follow.",
    async holds(stage) {
      await writeSeven(stage);

      for (const limit of [1, 2, 3, 6, 7, 8]) {
        const pages = await pagesOf((page) => stage.store.history(id, page), { limit, documents: true });

        assert.deepEqual(
          pages.flat().map(({ document }) => document?.content),
          inOrder,
        );
        assert.equal(pages.length, Math.ceil(7 / limit));
      }
    },
  },
  {
    id: "OS-073",
    clause: "SSOT 2.8",
    title: "A page goes on where the last one ended when versions were added in front of it meanwhile.",
    async holds(stage) {
      await writeSeven(stage);
      const first = await stage.store.history(id, { limit: 3 });

      await put(stage.store, says("future 9"), { validTime: future(9) });
      const rest = await stage.store.history(id, { documents: true, cursor: first.next ?? "" });

      assert.deepEqual(
        rest.versions.map(({ document }) => document?.content),
        inOrder.slice(3),
      );
      assert.equal(rest.next, undefined);
    },
  },
  {
    id: "OS-074",
    clause: "SSOT 2.1",
    title: "An unknown id has an empty history.",
    async holds({ store }) {
      await put(store, says("a"));

      assert.deepEqual(await store.history("system_prompt:s2", { documents: true }), { versions: [] });
    },
  },
  {
    id: "OS-075",
    clause: "SSOT 1.2",
    title: "Every listed version is what a read at its own basis and valid time gives.",
    async holds(stage) {
      await writeSeven(stage);

      for (const { basis, validTime, document } of await versionsOf(stage.store, id)) {
        assert.equal(await textAt(stage.store, id, { basis, validTime }), document?.content);
      }
    },
  },
  {
    id: "OS-076",
    clause: "SSOT 1.3",
    title: "Two hundred versions of one object are all kept.",
    async holds({ store, clock }) {
      const texts = Array.from({ length: 200 }, (_, n) => `version ${n}`);
      for (const text of texts) {
        clock.advance(1);
        await put(store, says(text));
      }

      assert.deepEqual(await textsOf(store, id), texts.reverse());
    },
  },
];
