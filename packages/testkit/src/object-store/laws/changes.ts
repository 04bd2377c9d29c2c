import assert from "node:assert/strict";
import type { Basis, ObjectStore } from "@cm/object-model";
import { put, refused } from "../asking.ts";
import { toolcall } from "../samples.ts";
import type { StoreLaw } from "../store-case.ts";

type Hints = (since: Basis, signal?: AbortSignal) => Promise<void>;

/** A law for stores that give hints; one without is asked again and again, and the law holds. */
function ofHints({
  holds,
  ...law
}: Omit<StoreLaw, "holds"> & {
  holds(stage: Parameters<StoreLaw["holds"]>[0] & { changed: Hints }): Promise<void>;
}): StoreLaw {
  return {
    ...law,
    async holds(stage) {
      const { store } = stage;
      if (store.changed === undefined) return;
      const changed: Hints = async (since, signal) => store.changed?.(since, signal);
      await holds({ ...stage, changed });
    },
  };
}

/** Whether a hint has come after the store has answered a few reads. */
async function hasCome(hint: Promise<void>, store: ObjectStore): Promise<boolean> {
  const reads = (async () => {
    for (let n = 0; n < 5; n += 1) await store.getMany(["call_1"]);
    return false;
  })();
  return Promise.race([hint.then(() => true), reads]);
}

export const changes: readonly StoreLaw[] = [
  ofHints({
    id: "OS-180",
    clause: "SSOT 2.8",
    title: "A hint comes at once where there is a newer transaction, the empty store's included.",
    async holds({ store, changed }) {
      const empty = (await store.find({ type: "toolcall" })).basis;
      const first = await put(store, [toolcall("call_1", "a")]);
      await changed(empty);

      await put(store, [toolcall("call_1", "b")]);

      await changed(first.basis);
      await changed(empty);
    },
  }),
  ofHints({
    id: "OS-181",
    clause: "SSOT 2.8",
    title: "A hint that waits comes with the next commit or erasure, and not before.",
    async holds({ store, changed }) {
      const { basis } = await put(store, [toolcall("call_1", "a")]);
      const hints = [changed(basis), changed(basis)];
      assert.equal(await hasCome(Promise.race(hints), store), false);

      const second = await put(store, [toolcall("call_2", "b")]);

      await Promise.all(hints);
      const next = changed(second.basis);
      assert.equal(await hasCome(next, store), false);
      await store.erase(["call_2"], "asked for");
      await next;
    },
  }),
  ofHints({
    id: "OS-182",
    clause: "SSOT 2.8",
    title: "A hint that is not waited for any more ends without an error, before and after it began to wait.",
    async holds({ store, changed }) {
      const { basis } = await put(store, [toolcall("call_1", "a")]);
      const gone = new AbortController();
      const hint = changed(basis, gone.signal);
      assert.equal(await hasCome(hint, store), false);

      gone.abort();

      await hint;
      await changed(basis, AbortSignal.abort());
      await refused(changed("no basis of any store", AbortSignal.abort()), "store/unknown-basis");
    },
  }),
  ofHints({
    id: "OS-183",
    clause: "SSOT 2.8",
    title: "A store that is closed says so to who waits for a hint.",
    async holds({ store, changed }) {
      const { basis } = await put(store, [toolcall("call_1", "a")]);
      const hint = refused(changed(basis), "store/closed");
      assert.equal(
        await hasCome(
          hint.then(() => {}),
          store,
        ),
        false,
      );

      await store.close?.();

      await hint;
      await refused(changed(basis), "store/closed");
    },
  }),
];
