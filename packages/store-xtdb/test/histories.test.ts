// @module-tag xtdb
// Verifies: SSOT 2.8: the histories of many objects come in few requests, each as it is asked for by itself.
import { everyVersion, type ListedVersion, type ObjectStore } from "@cm/object-model";
import { createRandom } from "@cm/testkit";
import { expect, it } from "vitest";
import { file, toolcall } from "./support/documents.ts";
import { withNode } from "./support/live-node.ts";

withNode("histories of many objects", (node) => {
  it("are what each history says, of unknown, erased and long-lived objects too", async () => {
    const random = createRandom(7);
    const store = node.open();
    const ids = new Set<string>(["never written", "\ud83d"]);
    for (let n = 0; n < 120; n += 1) {
      const text = `text ${random.below(9)} `.repeat(random.chance(0.2) ? 300 : 1);
      const document = random.chance(0.5)
        ? toolcall(`call_${random.below(9)}`, text)
        : file(`/w/${random.below(9)}`, text);
      ids.add(document["xt/id"]);
      const validTime = random.chance(0.2) ? { validTime: new Date(Date.UTC(2020, 0, 1 + random.below(9))) } : {};
      await store.commit([{ document, expect: "any" }], validTime);
    }
    const [one = "", other = ""] = [...ids].slice(2);
    const { versions } = await store.history(other);
    await store.erase([one, ...versions.slice(0, 1).map(({ id, token }) => ({ id, version: token }))], "tested");

    for (const page of [{}, { documents: true }, { documents: true, limit: 2 }]) {
      const found = await store.histories?.([...ids], page);

      for (const id of ids) {
        const alone = await store.history(id, page);
        const together = found?.get(id) ?? { versions: [] };
        expect(together.versions).toEqual(alone.versions);
        expect(await allFrom(store, id, together)).toEqual(await allFrom(store, id, alone));
      }
    }
  });
});

async function allFrom(
  store: ObjectStore,
  id: string,
  first: { readonly versions: readonly ListedVersion[]; readonly next?: string },
): Promise<readonly string[]> {
  const tokens = first.versions.map(({ token }) => String(token));
  if (first.next === undefined) return tokens;
  const { next } = first;
  for await (const { token } of everyVersion((page) => store.history(id, { cursor: next, ...page })))
    tokens.push(token);
  return tokens;
}
