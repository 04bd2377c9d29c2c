import assert from "node:assert/strict";
import { put, refused, textAt, textsOf, versionsOf } from "../asking.ts";
import { future, past } from "../clock.ts";
import { systemPrompt, toolcall } from "../samples.ts";
import type { StoreLaw } from "../store-case.ts";

const id = "system_prompt:s1";
const says = (text: string) => [systemPrompt("s1", text)];

export const validTime: readonly StoreLaw[] = [
  {
    id: "OS-050",
    clause: "SSOT 2.1",
    title: "A back-dated write holds from its valid time up to the next version, and not now.",
    async holds({ store }) {
      await put(store, says("now"));
      await put(store, says("then"), { validTime: past(5) });

      assert.equal(await textAt(store, id), "now");
      assert.equal(await textAt(store, id, { validTime: past(5) }), "then");
      assert.equal(await textAt(store, id, { validTime: past(6) }), "then");
      assert.equal(await textAt(store, id, { validTime: past(4) }), undefined);
    },
  },
  {
    id: "OS-051",
    clause: "SSOT 2.1",
    title: "A future write holds from its valid time on, and neither now nor at its own basis.",
    async holds({ store }) {
      await put(store, says("now"));
      const receipt = await put(store, says("planned"), { validTime: future(5) });

      assert.equal(await textAt(store, id), "now");
      assert.equal(await textAt(store, id, receipt.basis), "now");
      assert.equal(await textAt(store, id, { validTime: future(4) }), "now");
      assert.equal(await textAt(store, id, { validTime: future(5) }), "planned");
    },
  },
  {
    id: "OS-052",
    clause: "SSOT 2.1",
    title: "An object that only holds in the future is not there now.",
    async holds({ store, clock }) {
      await put(store, [toolcall("call_1", "a")], { validTime: new Date(clock.now() + 10) });

      assert.equal((await store.getMany(["call_1"])).size, 0);
      clock.advance(9);
      assert.equal((await store.getMany(["call_1"])).size, 0);
      clock.advance(1);
      assert.equal((await store.getMany(["call_1"])).size, 1);
    },
  },
  {
    id: "OS-053",
    clause: "SSOT 2.1",
    title: "A version holds from its very millisecond on.",
    async holds({ store }) {
      const start = past(1).getTime();
      await put(store, says("a"), { validTime: new Date(start) });
      await put(store, says("b"), { validTime: new Date(start + 1) });

      assert.equal(await textAt(store, id, { validTime: new Date(start - 1) }), undefined);
      assert.equal(await textAt(store, id, { validTime: new Date(start) }), "a");
      assert.equal(await textAt(store, id, { validTime: new Date(start + 1) }), "b");
    },
  },
  {
    id: "OS-054",
    clause: "SSOT 1.3",
    title: "Of versions with one valid time the latest transaction holds; the corrected one stays in history.",
    async holds({ store }) {
      await put(store, says("wrong"), { validTime: past(1) });
      await put(store, says("right"), { validTime: past(1) });

      assert.equal(await textAt(store, id), "right");
      assert.equal(await textAt(store, id, { validTime: past(1) }), "right");
      assert.deepEqual(await textsOf(store, id), ["right", "wrong"]);
    },
  },
  {
    id: "OS-055",
    clause: "SSOT 2.1",
    title: "A read by both axes sees what was known at the basis about the valid time.",
    async holds({ store }) {
      const first = await put(store, says("a"), { validTime: past(1) });
      const second = await put(store, says("c"), { validTime: past(9) });
      const third = await put(store, says("b"), { validTime: past(5) });
      const fourth = await put(store, says("A"), { validTime: past(1) });

      const row = (basis: string) =>
        Promise.all([1, 5, 9].map((day) => textAt(store, id, { basis, validTime: past(day) })));
      assert.deepEqual(await row(first.basis), ["a", "a", "a"]);
      assert.deepEqual(await row(second.basis), ["a", "a", "c"]);
      assert.deepEqual(await row(third.basis), ["a", "b", "c"]);
      assert.deepEqual(await row(fourth.basis), ["A", "b", "c"]);
    },
  },
  {
    id: "OS-056",
    clause: "SSOT 2.1",
    title: "An old basis can be asked about the future as it was planned then.",
    async holds({ store }) {
      const first = await put(store, says("plan 1"), { validTime: future(1) });
      await put(store, says("plan 2"), { validTime: future(1) });

      assert.equal(await textAt(store, id, { basis: first.basis, validTime: future(2) }), "plan 1");
      assert.equal(await textAt(store, id, { validTime: future(2) }), "plan 2");
    },
  },
  {
    id: "OS-057",
    clause: "SSOT 2.1",
    title: "A planned version still holds in its time after a newer write about the present.",
    async holds({ store }) {
      await put(store, says("planned"), { validTime: future(1) });
      await put(store, says("now"));

      assert.equal(await textAt(store, id), "now");
      assert.equal(await textAt(store, id, { validTime: future(1) }), "planned");
    },
  },
  {
    id: "OS-058",
    clause: "SSOT 5.6",
    title: "`unchanged` is judged by the version that holds at the valid time, not by the newest write.",
    async holds({ store }) {
      const present = await put(store, says("b"));
      const first = await put(store, says("a"), { validTime: past(1) });

      const sameAsThen = await put(store, says("a"), { validTime: past(5) });
      const sameAsNow = await put(store, says("b"), { validTime: past(6) });

      assert.notEqual(first.results[0]?.token, present.results[0]?.token);
      assert.deepEqual([sameAsThen.results[0]?.outcome, sameAsNow.results[0]?.outcome], ["unchanged", "written"]);
      assert.equal(sameAsThen.results[0]?.token, first.results[0]?.token);
      assert.deepEqual(await textsOf(store, id), ["b", "b", "a"]);
    },
  },
  {
    id: "OS-059",
    clause: "SSOT 2.8",
    title: "A write without a valid time holds from its transaction's time.",
    async holds({ store }) {
      const receipt = await put(store, says("a"));

      const [version] = await versionsOf(store, id);
      assert.equal(version?.validTime.getTime(), receipt.transactionTime.getTime());
    },
  },
  {
    id: "OS-060",
    clause: "SSOT 2.8",
    title: "Valid times before 1970 and in the year 9999 are kept to the millisecond; a date that is none is refused.",
    async holds({ store }) {
      const early = new Date(Date.UTC(1600, 1, 29, 1, 2, 3, 4));
      const late = new Date(Date.UTC(9999, 11, 31, 23, 59, 59, 999));
      await put(store, says("early"), { validTime: early });
      await put(store, says("late"), { validTime: late });

      const none = new Date(Number.NaN);
      await refused(put(store, says("never"), { validTime: none }), "store/invalid-document");
      await refused(store.getMany([id], { validTime: none }), "store/invalid-document");

      assert.equal(await textAt(store, id), "early");
      assert.equal(await textAt(store, id, { validTime: late }), "late");
      assert.deepEqual(
        (await versionsOf(store, id)).map((version) => version.validTime.getTime()),
        [late.getTime(), early.getTime()],
      );
    },
  },
];
